"""What the budgets are measured with: prepared indexes, timers, and one module for each group of lines."""
