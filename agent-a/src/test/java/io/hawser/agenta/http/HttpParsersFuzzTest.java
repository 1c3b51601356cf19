package io.hawser.agenta.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.agenta.download.DownloadWindow.Range;
import io.hawser.agenta.http.RequestTarget.MalformedTargetException;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.FtpPath.BadNameException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What clients send in the headers that this front parses itself. */
class HttpParsersFuzzTest {
    /** Whatever the path says, it stays below the account's root, and a link to it leads back to it. */
    @FuzzTest(maxDuration = "1m")
    void targets(byte[] data) {
        FtpPath root = new FtpPath(List.of("topic", "home")).asRoot();
        try {
            RequestTarget target = RequestTarget.parse(new String(data, StandardCharsets.UTF_8));
            FtpPath path = root.resolve(target.path());
            assertThat(path.isAtOrBelow(root)).isTrue();
            if (!path.isRoot()) {
                assertThat(root.resolve(RequestTarget.parse("/" + RequestTarget.encodeSegment(path.name()))
                                        .path())
                                .name())
                        .isEqualTo(path.name());
            }
        } catch (MalformedTargetException e) {
            assertThat(e.why()).isNotEmpty();
        } catch (BadNameException e) {
            assertThat(e.why()).isNotEmpty();
        }
    }

    /** The first byte is the file's size. */
    @FuzzTest(maxDuration = "1m")
    void ranges(byte[] data) {
        long size = data.length == 0 ? 0 : data[0] & 0xFF;
        String header = new String(data, StandardCharsets.UTF_8);
        for (String text : List.of(header, "bytes=" + header)) {
            ByteRanges.parse(text, size).ifPresent(ranges -> {
                assertThat(ranges).hasSizeLessThanOrEqualTo(ByteRanges.MAX);
                for (Range range : ranges) {
                    assertThat(range.from()).isLessThan(range.to());
                    assertThat(range.to()).isLessThanOrEqualTo(size);
                }
            });
        }
    }

    @FuzzTest(maxDuration = "1m")
    void tagsDatesAndLogins(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        for (EntityTag tag : EntityTag.parseList(text)) {
            assertThat(tag.opaque()).doesNotContain("\"");
            assertThat(EntityTag.parseList(tag.toString())).containsExactly(tag);
        }
        HttpDates.parse(text).ifPresent(seconds -> assertThat(HttpDates.parse(HttpDates.write(seconds * 1000)))
                .hasValue(seconds));
        BasicCredentials.parse(text).ifPresent(login -> assertThat(login.name()).doesNotContain(":"));
        BrowserGuard.refusal(HttpHeads.of("PUT", "Host", text, "Origin", text), true);
        assertThat(DirectoryPage.escape(text)).doesNotContain("<", ">", "\"", "'");
    }
}
