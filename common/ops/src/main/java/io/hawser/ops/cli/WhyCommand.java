package io.hawser.ops.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.core.model.Printable;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.observe.ChainVerdict;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.observe.WhyPage;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hawser why}: what holds a transfer back. */
@Command(
        name = "why",
        header = "Show what holds a transfer back.",
        description = {
            "Names the bottleneck of a transfer, and what to do about it: the client, a disk, the link, loss, a rate limit, credit, space, the"
                    + " order by path, a node that is away, the far server. Then for each hop where the transfer waited over the last 5 s and 60 s.",
            "Asks the nodes at --admin; without it those at the standard addresses of this machine. The more nodes of the way answer, the"
                    + " nearer the verdict is to the cause.",
            "TRANSFER is a part of the transfer's key or name."
        },
        footer = {
            "",
            "Example:  hawser why photos/cat.jpg",
            "          hawser why 018f --admin 127.0.0.1:7480,127.0.0.1:7482 --json"
        })
public final class WhyCommand implements Subcommand {
    private static final ConfigKey<List<HostPort>> ADMIN = ConfigKey.hostPorts(
            "admin", null, "the nodes' admin addresses; without it ports 7480 to 7482 of 127.0.0.1");

    private static final List<HostPort> STANDARD = List.of(
            HostPort.parse("127.0.0.1:7481"), HostPort.parse("127.0.0.1:7480"), HostPort.parse("127.0.0.1:7482"));
    /** How long a node may take to answer: one that hangs is a reason, too. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** So many candidates are named when a part fits several transfers. */
    private static final int MAX_NAMED = 5;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "TRANSFER", description = "part of a transfer's key or name")
    private String transfer = "";

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    private Config config;

    /**
     * The JSON of the answer.
     *
     * @param key the transfer's key
     * @param bottleneck that of the whole way; null if it is over on each hop
     * @param nodes what each node says
     */
    record Answer(String key, @Nullable ChainVerdict bottleneck, List<WhyPage> nodes) {}

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return List.of(ADMIN, CommonNodeFlags.ADMIN_TOKEN, CommonNodeFlags.TLS);
    }

    @Override
    public void configure(Config values) {
        config = values;
    }

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            String key = isWholeKey() ? transfer : chosen(search()).key();
            List<WhyPage> pages = new ArrayList<>();
            for (byte[] page : ask("/why", key, ExitCode.REFUSED)) {
                WhyPage why = Json.read(page, WhyPage.class);
                pages.add(why.with(List.of()));
                pages.addAll(why.others());
            }
            if (pages.isEmpty()) {
                throw new CommandException(ExitCode.FAILED, "no node that answers knows transfer " + key);
            }
            Answer answer = new Answer(key, ChainVerdict.of(pages).orElse(null), pages);
            if (json) {
                out.println(Json.text(answer));
            } else {
                WhyTable.print(answer, out);
            }
        } catch (JsonProcessingException e) {
            throw new CommandException(
                    ExitCode.CANNOT_CONNECT,
                    "an address of --admin does not answer as a node of Hawser does; are these nodes' --admin addresses?",
                    e);
        } finally {
            out.flush();
        }
        return ExitCode.OK.code();
    }

    private boolean isWholeKey() {
        try {
            return TransferKey.parse(transfer).toString().equals(transfer);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private List<TransferStatus> search() throws IOException {
        List<TransferStatus> found = new ArrayList<>();
        for (byte[] page : ask("/transfers", transfer, ExitCode.CANNOT_CONNECT)) {
            found.addAll(Json.read(page, TransferPage.class).transfers());
        }
        return found;
    }

    /**
     * What the nodes answer about {@code key}, all asked at once. A node that does not answer may be the reason that is looked for: it is left out, and
     * named if its address was given. If none answers, the exception of one.
     *
     * @param unknown the exit code of an answer that is no error here
     */
    private List<byte[]> ask(String path, String key, ExitCode unknown) {
        boolean given = config.find(ADMIN).isPresent();
        List<CompletableFuture<byte[]>> asked = config.find(ADMIN).orElse(STANDARD).stream()
                .map(address -> AdminClient.at(config, address, PATIENCE))
                .map(client ->
                        CompletableFuture.supplyAsync(() -> client.get(path, Map.of("key", key)), WhyCommand::inThread))
                .toList();
        List<byte[]> answers = new ArrayList<>();
        CommandException silent = null;
        boolean heard = false;
        for (CompletableFuture<byte[]> each : asked) {
            try {
                answers.add(each.join());
                heard = true;
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof CommandException failure)) {
                    throw e;
                }
                boolean isAway = failure.exitCode() == ExitCode.CANNOT_CONNECT;
                if (!isAway && failure.exitCode() != unknown) {
                    throw failure;
                }
                heard |= !isAway;
                silent = isAway ? failure : silent;
                if (isAway && given) {
                    spec.commandLine().getErr().println(Printable.text(String.valueOf(failure.getMessage())));
                }
            }
        }
        if (!heard && silent != null) {
            throw silent;
        }
        return answers;
    }

    private static void inThread(Runnable task) {
        Thread thread = new Thread(task, "hawser-why");
        thread.setDaemon(true);
        thread.start();
    }

    /** The only transfer that fits; of several the only one that is not delivered. */
    private TransferStatus chosen(List<TransferStatus> found) {
        Map<String, TransferStatus> byKey = new LinkedHashMap<>();
        found.forEach(line -> byKey.merge(line.key(), line, (one, other) -> other.wasDelivered() ? other : one));
        if (byKey.isEmpty()) {
            throw new CommandException(
                    ExitCode.FAILED, Printable.text("no transfer's key or name contains '" + transfer + "'"));
        }
        List<TransferStatus> fit = List.copyOf(byKey.values());
        List<TransferStatus> open =
                fit.stream().filter(line -> !line.wasDelivered()).toList();
        if (fit.size() == 1 || open.size() == 1) {
            return fit.size() == 1 ? fit.get(0) : open.get(0);
        }
        List<TransferStatus> named = open.isEmpty() ? fit : open;
        throw new CommandException(
                ExitCode.FAILED,
                Printable.text(named.size() + " transfers fit '" + transfer + "'; say more of the key of one: "
                        + named.stream()
                                .limit(MAX_NAMED)
                                .map(line -> line.key() + " (" + line.object().name() + ")")
                                .collect(Collectors.joining(", "))
                        + (named.size() > MAX_NAMED ? ", …" : "")));
    }
}
