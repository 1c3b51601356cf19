package io.hawser.agenta.ftp.modee;

import io.hawser.core.ftp.MalformedBlockException;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.PatchRanges;
import java.util.List;

/** Converts byte positions that the peer sends in MODE E to positions in the uploaded file. */
public sealed interface OffsetMapping {
    /** What is to be added to the positions of a block, which has {@code count} bytes, 1 or more, from {@code offset} on. */
    long shift(long offset, long count) throws MalformedBlockException;

    /** The upload's bytes {@code [start, end)}, as the peer counts them. */
    List<FragmentRange> ofPeer(long start, long end);

    /** How many bytes an upload has at least that is complete. */
    default long leastBytes() {
        return 0;
    }

    /** The end of the bytes of the upload that the peer knows to be here and does not send. */
    default long givenEndBytes() {
        return 0;
    }

    /**
     * The peer's position 0 is somewhere in the upload.
     *
     * @param baseBytes where; 0 or more
     * @param givenEndBytes see {@link OffsetMapping#givenEndBytes}
     */
    record Shifted(long baseBytes, long givenEndBytes) implements OffsetMapping {
        /** The peer's positions are those of the upload, of which it sends all. */
        public static final Shifted SAME = new Shifted(0, 0);

        @Override
        public long shift(long offset, long count) {
            return baseBytes;
        }

        @Override
        public List<FragmentRange> ofPeer(long start, long end) {
            long from = Math.max(0, start - baseBytes);
            return from < end - baseBytes ? List.of(new FragmentRange(from, end - baseBytes)) : List.of();
        }
    }

    /**
     * The peer's positions are those of a file, and the upload is a patch that fills gaps in it.
     *
     * @param places the gaps
     */
    record Gaps(PatchRanges places) implements OffsetMapping {
        @Override
        public long shift(long offset, long count) throws MalformedBlockException {
            long inPatch = places.inPatch(offset, count);
            if (inPatch < 0) {
                throw new MalformedBlockException("a block at position " + offset + " of " + count
                        + " bytes, of which REST said that some are not sent");
            }
            return inPatch - offset;
        }

        @Override
        public List<FragmentRange> ofPeer(long start, long end) {
            return places.inFile(start, end);
        }

        @Override
        public long leastBytes() {
            return places.rangesBytes();
        }
    }
}
