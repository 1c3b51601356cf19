package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysCommandTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "list DIR",
                "add DIR TARGET --role client --name a",
                "invite DIR --at 127.0.0.1:1 --role client --name a",
                "uninvite DIR 01234567",
                "revoke DIR client:a",
                "renew DIR",
                "serve DIR"
            })
    void aDirectoryWithoutACaIsSaidToBeNone(String line) {
        Path none = directory.resolve("none");
        List<String> words = new ArrayList<>(List.of("keys"));
        for (String word : line.split(" ")) {
            words.add(word.replace("DIR", none.toString()));
        }
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();

        int code = Hawser.run(
                List.of(new KeysCommand()),
                Map.of(),
                new PrintWriter(out),
                new PrintWriter(err, true),
                words.toArray(String[]::new));

        assertThat(err.toString())
                .isEqualTo("hawser: there is no " + none + "/ca.crt; 'hawser keys init " + none + "' makes a CA\n");
        assertThat(code).isEqualTo(ExitCode.USAGE.code());
        assertThat(out.toString()).isEmpty();
        assertThat(directory).isEmptyDirectory();
    }
}
