package io.hawser.core.wire;

import io.hawser.core.hop.PacketHeader;
import io.hawser.core.hop.SmallItem;
import io.hawser.core.remote.Answer;
import java.util.List;

/** A packet's header and the number of its hop. */
public sealed interface StreamHeader {
    /** The hop within the session. */
    int hop();

    /** A range of one fragment follows. */
    record OfFragment(int hop, PacketHeader header) implements StreamHeader {}

    /** The bytes of several small transfers follow. */
    record OfSmall(int hop, List<SmallItem> items) implements StreamHeader {}

    /** The payload of an answer to a remote call follows; it belongs to no hop. */
    record OfAnswer(long call, Answer answer, int crc32c) implements StreamHeader {
        @Override
        public int hop() {
            return 0;
        }
    }

    /**
     * A part of an answer's payload follows.
     *
     * @param answer the whole answer, with its CRC32C
     * @param offset of the part in the whole, in bytes
     * @param wholeLength of the payload, in bytes
     */
    record OfAnswerPart(OfAnswer answer, int offset, int wholeLength) implements StreamHeader {
        @Override
        public int hop() {
            return 0;
        }
    }
}
