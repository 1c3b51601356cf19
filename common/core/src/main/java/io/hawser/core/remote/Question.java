package io.hawser.core.remote;

/** A question about the files of a topic's far end. Names are segments joined by {@code /}; the empty name is the root. */
public sealed interface Question {
    /** The longest name, in bytes of UTF-8. */
    int MAX_NAME_LENGTH_BYTES = 4096;

    /** The file or directory that it is about. */
    String name();

    /** Which bound it counts against at each node. */
    Lane lane();

    /** What stands at a name. Answered by {@link Answer.OfFile}. */
    record Stat(String name) implements Question {
        @Override
        public Lane lane() {
            return Lane.LOOK;
        }
    }

    /**
     * Some entries of a directory, by name. Answered by {@link Answer.OfPage}.
     *
     * @param name the directory
     * @param after only entries whose names come after this one; empty from the first
     */
    record ListPage(String name, String after) implements Question {
        @Override
        public Lane lane() {
            return Lane.PAGE;
        }
    }

    /**
     * Bytes of a file. Answered by {@link Answer.OfBlock}.
     *
     * @param name the file
     * @param fingerprint the version that is wanted, or empty for any
     * @param offset 0 or more
     * @param length 1 to the fragment size
     */
    record Read(String name, String fingerprint, long offset, int length) implements Question {
        public Read {
            if (offset < 0 || length < 1) {
                throw new IllegalArgumentException("a read of " + length + " bytes at " + offset);
            }
        }

        @Override
        public Lane lane() {
            return Lane.READ;
        }
    }

    /**
     * The checksum of bytes {@code [offset, offset + length)}. Answered by {@link Answer.OfChecksum}.
     *
     * @param name the file
     * @param algorithm which one
     * @param offset 0 or more
     * @param length how many; -1 to the end
     */
    record Checksum(String name, ChecksumAlgorithm algorithm, long offset, long length) implements Question {
        public Checksum {
            if (offset < 0 || length < -1) {
                throw new IllegalArgumentException("a checksum of " + length + " bytes at " + offset);
            }
        }

        @Override
        public Lane lane() {
            return Lane.SUM;
        }
    }

    /** Questions of one lane wait for each other only: a slow checksum does not hold back a stat. */
    enum Lane {
        LOOK(false),
        PAGE(true),
        READ(true),
        SUM(false);

        private final boolean bulk;

        Lane(boolean bulk) {
            this.bulk = bulk;
        }

        /** Whether the answer is read into a fragment buffer, which a node has before it asks. */
        public boolean isBulk() {
            return bulk;
        }
    }
}
