package io.hawser.agentb.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarOptions.Parallelism;
import io.hawser.agentb.deliver.FarOptions.Timeouts;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.Secret;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.remote.Question;
import io.hawser.store.storage.DiskStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server that says what it was told to, and what reads from it. */
abstract class ScriptedFilesBase {
    static final Duration SILENCE = Duration.ofSeconds(1);

    @SuppressWarnings("NullAway.Init") // see startServer
    ScriptedServer server;

    @SuppressWarnings("NullAway.Init") // subclasses open it
    FarFiles files;

    @BeforeEach
    void startServer() throws IOException {
        server = new ScriptedServer();
    }

    @AfterEach
    void stopServer() throws IOException {
        files.close();
        server.close();
    }

    /** Reads from the server by the URL scheme {@code scheme}, over {@code streams} connections. */
    FarFiles open(String scheme, int streams, UnaryOperator<FarOptions> more) throws IOException {
        FarOptions options = FarOptions.with(new Secret("a@b"))
                .withParallelism(new Parallelism(4, 0, streams))
                .withTimeouts(new Timeouts(SILENCE, SILENCE));
        String url = server.url().replace("ftp://", scheme + "://");
        return FarFiles.create(new DiskStorage(), FarServer.parse(url), more.apply(options));
    }

    /** Why it was refused; null if it was not. */
    static @Nullable ErrorCode code(Outcome<?> outcome) {
        Refusal refusal = outcome.refusal();
        return refusal == null ? null : refusal.code();
    }

    /** What stands in the file {@code x} from {@code offset} on, {@code length} bytes at most. */
    String read(long offset, int length) {
        ByteBuffer into = ByteBuffer.allocate(length);
        assertThat(files.read(new Question.Read("x", "", offset, length), into).refusal())
                .isNull();
        return new String(Arrays.copyOf(into.array(), into.position()), StandardCharsets.UTF_8);
    }
}
