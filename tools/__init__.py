"""What makes the pages of the documentation (`tools.docs`) and the default weights (`tools.weights`)."""
