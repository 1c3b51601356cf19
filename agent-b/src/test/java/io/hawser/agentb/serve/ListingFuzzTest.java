package io.hawser.agentb.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFileCodec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.commons.net.ftp.FTPFile;
import org.apache.commons.net.ftp.FTPFileEntryParser;

/** A far server's listings: lines that cannot be read are left out, and what is shown fits into agent-a's page. */
class ListingFuzzTest {
    /** The first byte says what kind of listing it is. */
    @FuzzTest(maxDuration = "2m")
    void listing(byte[] data) {
        if (data.length == 0) {
            return;
        }
        List<String> lines = lines(data);
        List<FTPFile> files =
                switch (data[0] & 3) {
                    case 0 -> listed(lines, "");
                    case 1 -> listed(lines, "215 Windows_NT");
                    default ->
                        lines.stream()
                                .map(ListingLines::facts)
                                .filter(Objects::nonNull)
                                .toList();
                };
        assertThat(files.size()).isLessThanOrEqualTo(lines.size());
        for (FTPFile file : files) {
            if (file.getName() != null && FarName.isPossibleEntry(file.getName())) {
                check(FarEntry.of(file.getName(), file).remoteFile());
            }
        }
    }

    private static List<FTPFile> listed(List<String> lines, String system) {
        FTPFileEntryParser parser = ListingLines.parser(system);
        return lines.stream()
                .map(line -> ListingLines.listed(parser, line))
                .filter(Objects::nonNull)
                .toList();
    }

    private static void check(RemoteFile file) {
        assertThat(file.name()).isNotEmpty().doesNotContain("/");
        assertThat(file.mode()).isBetween(0, 0777);
        ByteBuffer page = ByteBuffer.allocate(RemoteFileCodec.MAX_LENGTH_BYTES);
        RemoteFileCodec.put(page, file);
        assertThat(RemoteFileCodec.get(page.flip())).isEqualTo(file);
    }

    private static List<String> lines(byte[] data) {
        List<String> lines = new ArrayList<>();
        LineReader reader = new LineReader(new ByteArrayInputStream(data, 1, data.length - 1));
        try {
            for (String line = reader.next(); line != null; line = reader.next()) {
                assertThat(line.length()).isLessThanOrEqualTo(LineReader.MAX_LINE_BYTES);
                lines.add(line);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("a line of a listing");
        }
        return lines;
    }
}
