package io.hawser.core.remote;

/** An answer of the far end to a question. A payload, where there is one, travels beside it. */
public sealed interface Answer {
    /** To {@link Question.Stat}; no payload. */
    record OfFile(RemoteFile file) implements Answer {}

    /** To {@link Question.Checksum}, in lower-case hex; no payload. */
    record OfChecksum(String hex) implements Answer {
        /** The longest checksum: SHA-512. */
        public static final int MAX_LENGTH = 128;
    }

    /** To {@link Question.Read}; the payload is the bytes, and the file is as it was before and after they were read. */
    record OfBlock(RemoteFile file) implements Answer {}

    /**
     * To {@link Question.ListPage}; the payload is entries, laid out as {@link RemoteFileCodec} says.
     *
     * @param next behind which name the next page begins; empty if this is the last
     */
    record OfPage(String next) implements Answer {}
}
