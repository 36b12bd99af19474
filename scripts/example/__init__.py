"""The example cluster `riviere`: what there is (cluster), how busy it is (load), and the files an operator would have of it."""
