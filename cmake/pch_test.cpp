// A precompiled header needs a source file to be compiled with; there is nothing in it.
