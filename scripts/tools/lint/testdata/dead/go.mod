module example.com/dead

go 1.26.0
