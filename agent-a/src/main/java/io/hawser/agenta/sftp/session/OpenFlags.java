package io.hawser.agenta.sftp.session;

/**
 * How a client opens a file (draft-ietf-secsh-filexfer-02 section 6.3). APPEND needs no rule of its own: clients that set it say positions
 * too.
 */
record OpenFlags(boolean reads, boolean writes, boolean creates, boolean truncates, boolean exclusive) {
    private static final int READ = 1;
    private static final int WRITE = 2;
    private static final int APPEND = 4;
    private static final int CREATE = 8;
    private static final int TRUNCATE = 16;
    private static final int EXCLUSIVE = 32;

    static OpenFlags of(int bits) {
        return new OpenFlags(
                (bits & READ) != 0,
                (bits & (WRITE | APPEND)) != 0,
                (bits & CREATE) != 0,
                (bits & TRUNCATE) != 0,
                (bits & EXCLUSIVE) != 0);
    }
}
