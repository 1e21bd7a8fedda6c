module github.com/tensorsketch/tensorsketch

go 1.26.0

toolchain go1.27.1
