package io.hawser.receive;

import io.hawser.client.FarFiles;
import io.hawser.client.HawserClient;
import io.hawser.client.HawserException;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import io.hawser.send.ClientFlags;
import java.io.IOException;

/**
 * Asks a far end about its files, and words what it refuses.
 *
 * <p>Thread: main only.
 */
final class FarEndClient implements AutoCloseable {
    private final HawserClient client;
    private final FarFiles files;
    private final FarPath place;

    /** A question whose answer may be a refusal. */
    @FunctionalInterface
    interface Asking<T> {
        T ask(FarFiles files) throws IOException;
    }

    private FarEndClient(HawserClient client, FarFiles files, FarPath place) {
        this.client = client;
        this.files = files;
        this.place = place;
    }

    static FarEndClient connect(Config config, FarPath place) throws IOException {
        HawserClient client = HawserClient.connect(ClientFlags.options(config));
        try {
            return new FarEndClient(
                    client, client.files(place.topic(), config.get(ClientFlags.CONNECT_TIMEOUT)), place);
        } catch (IllegalArgumentException e) { // no topic name
            client.close();
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    FarFiles files() {
        return files;
    }

    <T> T ask(Asking<T> question) throws IOException {
        try {
            return question.ask(files);
        } catch (HawserException e) {
            throw worded(e);
        }
    }

    CommandException worded(HawserException refusal) {
        String why = place + ": " + refusal.getMessage();
        return switch (refusal.reason()) {
            case UNREACHABLE -> {
                String problem = client.connectionProblem();
                yield new CommandException(
                        ExitCode.CANNOT_CONNECT,
                        problem.isEmpty()
                                ? why
                                : "cannot connect to the broker " + String.join(",", client.brokers()) + ": " + problem,
                        refusal);
            }
            case NOT_ALLOWED, NO_SPACE, TOO_LARGE -> new CommandException(ExitCode.REFUSED, why, refusal);
            case SOURCE_CHANGED ->
                new CommandException(
                        ExitCode.FAILED, why + ". It changed while it was read: run the same command again", refusal);
            default -> new CommandException(ExitCode.FAILED, why, refusal);
        };
    }

    @Override
    public void close() {
        client.close();
    }
}
