package io.hawser.core.remote;

/** An answer of the far end to a question. Its payload, if there is one, travels in packets. */
public sealed interface Answer {
    /** To {@link Question.Stat}; no payload. */
    record OfFile(RemoteFile file) implements Answer {}

    /** To {@link Question.Checksum}, in lower-case hex; no payload. */
    record OfChecksum(String hex) implements Answer {
        /** The longest checksum: SHA-512. */
        public static final int MAX_LENGTH = 128;
    }

    /** To {@link Question.Read}; the payload is the bytes. The file had these facts before and after they were read. */
    record OfBlock(RemoteFile file) implements Answer {}

    /**
     * To {@link Question.ListPage}; the payload is entries in the layout of {@link RemoteFileCodec}.
     *
     * @param next the name after which the next page begins; empty if this is the last
     */
    record OfPage(String next) implements Answer {}
}
