package io.hawser.core.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Golden;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pins the bytes of pages of listings, a part of the hop protocol's version 1. */
class RemoteFileGoldenTest {
    private static final RemoteFile FILE =
            new RemoteFile("\u00fc.txt", RemoteFile.Kind.FILE, 1L << 33, 1_700_000_000_123L, 0644, "7.x");
    private static final RemoteFile DIRECTORY = new RemoteFile("sub", RemoteFile.Kind.DIRECTORY, 0, -1, 0755, "");

    private static Map<String, List<RemoteFile>> pages() {
        Map<String, List<RemoteFile>> all = new LinkedHashMap<>();
        all.put("FILE", List.of(FILE));
        all.put("DIRECTORY", List.of(DIRECTORY));
        all.put("PAGE", List.of(FILE, DIRECTORY));
        return all;
    }

    private static byte[] bytes(List<RemoteFile> page) {
        ByteBuffer out = ByteBuffer.allocate(page.size() * RemoteFileCodec.MAX_LENGTH_BYTES);
        page.forEach(file -> RemoteFileCodec.put(out, file));
        byte[] bytes = new byte[out.flip().remaining()];
        out.get(bytes);
        return bytes;
    }

    @Test
    void pagesAreWrittenAndReadAsVersionOneHasThem() throws Exception {
        Map<String, byte[]> written = new LinkedHashMap<>();
        pages().forEach((name, page) -> written.put(name, bytes(page)));
        Golden.assertWritten(RemoteFileGoldenTest.class, "v1/remote-files.txt", written);
        Map<String, byte[]> golden = Golden.read(RemoteFileGoldenTest.class, "v1/remote-files.txt");
        for (Map.Entry<String, List<RemoteFile>> expected : pages().entrySet()) {
            assertThat(RemoteFileCodec.getAll(ByteBuffer.wrap(golden.get(expected.getKey()))))
                    .isEqualTo(expected.getValue());
        }
    }
}
