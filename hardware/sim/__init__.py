"""What can be simulated of the hardware. Each module has `run(folder)`, which draws its plot and returns its numbers."""
