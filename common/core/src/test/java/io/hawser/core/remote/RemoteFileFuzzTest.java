package io.hawser.core.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.List;

/** A page of a listing from the far end: refused, or understood so that it can be passed on. */
class RemoteFileFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void page(byte[] data) {
        List<RemoteFile> files;
        try {
            files = RemoteFileCodec.getAll(ByteBuffer.wrap(data));
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageNotContaining("Exception");
            return;
        }
        ByteBuffer out = ByteBuffer.allocate(data.length);
        files.forEach(file -> RemoteFileCodec.put(out, file));
        assertThat(out.array()).isEqualTo(data);
    }
}
