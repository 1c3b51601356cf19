package io.hawser.agentb.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.ftp.BlockHeader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** A file in MODE E from a far server: whatever comes, no byte lands outside of the file, and nothing else than an IOException. */
class FarBlockFuzzTest {
    private static final int FILE_BYTES = 200;
    private static final int START = 50;

    @FuzzTest(maxDuration = "2m")
    void blocks(byte[] data) {
        BlockTransfer transfer = new BlockTransfer(START, START + FILE_BYTES, FILE_BYTES);
        InputStream in = new ByteArrayInputStream(data);
        try {
            for (BlockHeader header = BlockHeaderReader.next(in); header != null; header = BlockHeaderReader.next(in)) {
                assertThat(header.payloadBytes()).isNotNegative();
                transfer.readBlock(header, in);
                transfer.countEnds(header);
            }
        } catch (IOException e) {
            transfer.fail(e);
        }
        ByteBuffer file = ByteBuffer.allocate(FILE_BYTES);
        try {
            while (file.hasRemaining()) {
                transfer.take(file, file.remaining(), 0);
            }
        } catch (IOException e) {
            assertThat(file.position()).isLessThan(FILE_BYTES);
        }
    }
}
