@rem npm's scripts begin with "exec", so that a signal to npm reaches the server; Windows has no such word and finds this.
@%*
