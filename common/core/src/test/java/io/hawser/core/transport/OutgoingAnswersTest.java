package io.hawser.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.wire.StreamHeader;
import io.hawser.core.wire.StreamHeaderCodec;
import io.hawser.ptcp.PtcpPacket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How answers are cut, and what becomes of them when a stream is lost. */
class OutgoingAnswersTest {
    private static final int KIB = 1024;
    private static final int BLOCK = 1 << 20;
    private static final RemoteFile FILE = new RemoteFile("f", RemoteFile.Kind.FILE, BLOCK, 0, 0644, "v1");

    private final FragmentBufferPool memory = new FragmentBufferPool(BLOCK, 8);
    private final OutgoingAnswers answers = new OutgoingAnswers();

    private record Part(long call, int offset, int length) {}

    private void answer(long call, int length) {
        FragmentBuffer buffer = Objects.requireNonNull(memory.tryAcquire());
        answers.add(call, new Answer.OfBlock(FILE), buffer, length, 7);
        buffer.release();
    }

    private Part next(int stream, int mostBytes, int streams) throws Exception {
        PtcpPacket packet = Objects.requireNonNull(answers.next(stream, mostBytes, streams));
        int length = packet.payload().readableBytes();
        packet.payload().release();
        StreamHeader header = StreamHeaderCodec.decode(packet.header(), length);
        if (header instanceof StreamHeader.OfAnswerPart part) {
            return new Part(part.answer().call(), part.offset(), length);
        }
        return new Part(((StreamHeader.OfAnswer) header).call(), 0, length);
    }

    private List<Part> all(int mostBytes, int streams) throws Exception {
        List<Part> parts = new ArrayList<>();
        for (int stream = 0; !answers.isEmpty(); stream = (stream + 1) % streams) {
            parts.add(next(stream, mostBytes, streams));
        }
        return parts;
    }

    @AfterEach
    void allMemoryComesBack() {
        answers.clear();
        assertThat(memory.available()).isEqualTo(memory.capacity());
    }

    @Test
    void whereThereIsNoReasonToCutItAnAnswerLeavesWhole() throws Exception {
        answer(1, BLOCK);
        answer(2, 0);

        assertThat(all(Integer.MAX_VALUE, 4)).containsExactly(new Part(1, 0, BLOCK), new Part(2, 0, 0));
    }

    @Test
    void theyLeaveOneAfterTheOtherInPartsOfWhatAStreamIsGiven() throws Exception {
        for (int call = 0; call < 6; call++) {
            answer(call, BLOCK);
        }

        List<Part> parts = all(100 * KIB, 2);

        for (int call = 0; call < 6; call++) {
            int end = 0;
            for (Part part : parts) {
                if (part.call == call) {
                    assertThat(part.offset).isEqualTo(end);
                    end += part.length;
                }
            }
            assertThat(end).isEqualTo(BLOCK);
        }
        assertThat(parts).extracting(Part::call).isSorted();
        assertThat(parts.get(0).length).isEqualTo(100 * KIB);
        assertThat(parts).allSatisfy(part -> assertThat(part.length).isLessThan(116 * KIB));
    }

    @Test
    void allStreamsHaveAShareOfTheLast() throws Exception {
        answer(1, BLOCK);

        List<Part> parts = all(400 * KIB, 4);

        assertThat(parts.get(0).length).isEqualTo(BLOCK / 8);
        assertThat(parts).allSatisfy(part -> assertThat(part.length)
                .isBetween(OutgoingAnswers.LEAST_PART_BYTES, 2 * OutgoingAnswers.LEAST_PART_BYTES + BLOCK / 8));
    }

    @Test
    void aSlowStreamIsGivenLittleAndNoLeftoverIsLessThanThat() throws Exception {
        answer(1, 40 * KIB);

        assertThat(all(1, 1)).containsExactly(new Part(1, 0, 16 * KIB), new Part(1, 16 * KIB, 24 * KIB));
    }

    @Test
    void aLostStreamNamesWhatItHadAPartOfAndTheRestOfThatDoesNotLeave() throws Exception {
        answer(1, 40 * KIB);
        answer(2, BLOCK);
        answer(3, 20 * KIB);
        next(1, 20 * KIB, 1);
        next(2, 20 * KIB, 1);
        next(1, 100 * KIB, 1);

        assertThat(answers.streamLost(1)).containsExactly(1L, 2L);
        assertThat(answers.streamLost(1)).isEmpty();
        assertThat(next(2, 100 * KIB, 1)).isEqualTo(new Part(3, 0, 20 * KIB));
        assertThat(answers.streamLost(2)).containsExactly(1L, 3L);
    }

    @Test
    void ofAnAnswerThatIsNotWantedAnyMoreTheRestDoesNotLeave() throws Exception {
        answer(1, BLOCK);
        next(1, 20 * KIB, 1);

        answers.drop(1);

        assertThat(answers.isEmpty()).isTrue();
        assertThat(memory.available()).isEqualTo(memory.capacity());
    }
}
