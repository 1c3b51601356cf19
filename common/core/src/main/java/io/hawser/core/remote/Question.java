package io.hawser.core.remote;

/** A question about the files at a topic's far end. Names are segments joined by {@code /}; the empty name is the root. */
public sealed interface Question {
    /** The longest name, in bytes of UTF-8. */
    int MAX_NAME_LENGTH_BYTES = 4096;

    /** The file or directory. */
    String name();

    /** The lane whose limit it counts in at each node. */
    Lane lane();

    /** The facts of a file or directory. Answered by {@link Answer.OfFile}. */
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
     * @param fingerprint the requested version, or empty for any
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
     * @param length in bytes; -1 to the end
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

    /** A question waits only for others of its lane: a slow checksum does not delay a stat. */
    enum Lane {
        LOOK(false),
        PAGE(true),
        READ(true),
        SUM(false);

        private final boolean bulk;

        Lane(boolean bulk) {
            this.bulk = bulk;
        }

        /** Whether the answer needs a fragment buffer, which a node takes before it asks. */
        public boolean isBulk() {
            return bulk;
        }
    }
}
