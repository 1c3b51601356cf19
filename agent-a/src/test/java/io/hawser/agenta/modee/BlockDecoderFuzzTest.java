package io.hawser.agenta.modee;

import io.hawser.agenta.testkit.BlockStream;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A fuzz target for what comes over a data connection in MODE E: any bytes, cut anywhere, give the same blocks or the same
 * refusal, and never a position, a count or a state that cannot be.
 */
public final class BlockDecoderFuzzTest {
    private static final int RUNS = Integer.getInteger("hawser.fuzz.rounds", 20_000);
    private static final int MAX_CONNECTIONS = 256;

    /** One input; its first byte seeds the cuts. Throws what a fuzzer should see. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length < 1) {
            return;
        }
        String whole = follow(data, data.length);
        String cut = follow(data, 1 + (data[0] & 0x1F));
        if (!whole.equals(cut)) {
            throw new IllegalStateException("whole: " + whole + "\ncut: " + cut);
        }
    }

    /** What a connection's bytes mean, taken in pieces of at most {@code most}. */
    private static String follow(byte[] data, int most) {
        BlockDecoder decoder = new BlockDecoder();
        EndCount ends = new EndCount(MAX_CONNECTIONS);
        StringBuilder story = new StringBuilder();
        int at = 1;
        try {
            while (at < data.length && !decoder.ended()) {
                int wanted = decoder.headerMissing();
                int length = Math.min(most, data.length - at);
                if (wanted > 0) {
                    length = Math.min(length, wanted);
                    BlockHeader block = decoder.header(ByteBuffer.wrap(data, at, length));
                    if (block != null) {
                        story.append(block);
                        if (block.isEof()) {
                            ends.eof(block.offset());
                        }
                    }
                } else {
                    length = (int) Math.min(length, decoder.remaining());
                    decoder.payload(length);
                }
                at += length;
                check(decoder);
            }
            if (decoder.ended()) {
                ends.eod();
            }
        } catch (MalformedBlockException e) {
            return story.append(e.getMessage()).toString();
        }
        return story.append(at)
                .append(decoder.ended())
                .append(ends.isComplete())
                .append(decoder.position())
                .toString();
    }

    private static void check(BlockDecoder decoder) {
        boolean sane = decoder.headerMissing() >= 0
                && decoder.headerMissing() <= BlockHeader.LENGTH_BYTES
                && decoder.remaining() >= 0
                && (decoder.remaining() == 0 || decoder.position() >= 0)
                && decoder.position() + decoder.remaining() >= decoder.position()
                && !(decoder.ended() && decoder.remaining() > 0);
        if (!sane) {
            throw new IllegalStateException("position " + decoder.position() + ", remaining " + decoder.remaining());
        }
    }

    /** Inputs that look like MODE E in most places. */
    private static byte[] input(Random random) {
        ByteBuffer out = ByteBuffer.allocate(1 + random.nextInt(400)).put((byte) random.nextInt());
        while (out.remaining() > BlockHeader.LENGTH_BYTES) {
            int count = random.nextInt(40);
            int flags = random.nextInt(4) == 0 ? random.nextInt(256) : 0;
            long odd = random.nextInt(8) == 0 ? random.nextLong() : count;
            long offset = random.nextInt(8) == 0 ? random.nextLong() : random.nextInt(1 << 20);
            out.put(BlockStream.header(flags, odd, offset));
            out.position(out.position() + Math.min(count, out.remaining()));
        }
        return out.array();
    }

    @Test
    void randomInputsKeepTheRules() {
        for (int seed = 0; seed < RUNS; seed++) {
            fuzzerTestOneInput(input(new Random(seed)));
        }
    }
}
