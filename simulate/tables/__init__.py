"""The paper's three tables of prediction results: as they were really run, as the text states, and corrected."""
