package io.hawser.agenta.ftp.modee;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.ftp.BlockHeader;
import io.hawser.core.ftp.MalformedBlockException;
import io.hawser.core.model.FragmentRanges;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What comes over data connections in MODE E: any bytes, cut anywhere, give the same blocks or the same refusal, and never a
 * position, a count or a state that cannot be. And the ranges that a client sends with REST.
 */
class BlockFuzzTest {
    private static final int MAX_CONNECTIONS = 256;

    /** The first byte says how long the pieces are at most. */
    @FuzzTest(maxDuration = "2m")
    void blocks(byte[] data) {
        if (data.length > 0) {
            assertThat(follow(data, 1 + (data[0] & 0x1F))).isEqualTo(follow(data, data.length));
        }
    }

    /** What a connection's bytes mean, taken in pieces of at most {@code most}. */
    private static String follow(byte[] data, int most) {
        BlockDecoder decoder = new BlockDecoder();
        ModeEEndDetector endDetector = new ModeEEndDetector(MAX_CONNECTIONS);
        StringBuilder story = new StringBuilder();
        int at = 1;
        try {
            while (at < data.length && !decoder.ended()) {
                at += step(data, at, Math.min(most, data.length - at), decoder, endDetector, story);
                check(decoder);
            }
            if (decoder.ended()) {
                endDetector.eod();
            }
        } catch (MalformedBlockException e) {
            return story.append(e.getMessage()).toString();
        }
        return story.append(at)
                .append(decoder.ended())
                .append(endDetector.isComplete())
                .append(decoder.position())
                .toString();
    }

    private static int step(
            byte[] data, int at, int most, BlockDecoder decoder, ModeEEndDetector endDetector, StringBuilder story)
            throws MalformedBlockException {
        int wanted = decoder.headerMissing();
        if (wanted == 0) {
            int length = (int) Math.min(most, decoder.remaining());
            decoder.payload(length);
            return length;
        }
        int length = Math.min(most, wanted);
        BlockHeader block = decoder.header(ByteBuffer.wrap(data, at, length));
        if (block != null) {
            story.append(block);
            if (block.isEof()) {
                endDetector.eof(block.offset());
            }
        }
        return length;
    }

    private static void check(BlockDecoder decoder) {
        assertThat(decoder.headerMissing()).isBetween(0, BlockHeader.LENGTH_BYTES);
        assertThat(decoder.remaining()).isNotNegative();
        if (decoder.remaining() > 0) {
            assertThat(decoder.position()).isNotNegative();
            assertThat(decoder.ended()).isFalse();
            assertThat(decoder.position() + decoder.remaining()).isPositive();
        }
    }

    @FuzzTest(maxDuration = "1m")
    void ranges(byte[] data) {
        Optional<FragmentRanges> ranges = RangeText.parse(new String(data, StandardCharsets.UTF_8));
        ranges.filter(found -> !found.isEmpty()).ifPresent(found -> assertThat(RangeText.parse(RangeText.format(found)))
                .contains(found));
        ranges.ifPresent(
                found -> assertThat(found.runs()).allMatch(run -> run.start() >= 0 && run.end() > run.start()));
    }
}
