"""Control: agents that learn a policy, many seeds together, in environments that are stepped together."""
