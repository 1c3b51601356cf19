package io.hawser.release.drill;

import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.cli.Hawser;
import io.hawser.ops.cli.Subcommand;
import io.hawser.release.process.FtpAccount;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A chain of three processes that the drill starts in a directory, and ends.
 *
 * <p>Thread: one; {@link #close} any.
 */
final class OwnDeployment implements DrillTarget {
    private static final Duration ADMIN_TIMEOUT = Duration.ofSeconds(2);

    private final Path directory;
    private final ProcessChain chain;
    private final boolean keep;

    OwnDeployment(Path directory, boolean keep) throws IOException {
        this.directory = directory;
        this.keep = keep;
        chain = new ProcessChain(directory);
    }

    ProcessChain chain() {
        return chain;
    }

    @Override
    public void start() throws IOException {
        chain.startAll();
    }

    @Override
    public String description() {
        return "a chain of its own in " + directory;
    }

    @Override
    public Optional<FtpAccount> ftp() {
        return Optional.of(FtpAccount.anonymous(chain.ftp()));
    }

    @Override
    public Optional<ApiAccess> api() {
        return Optional.of(new ApiAccess(chain.brokerPtcp(), ProcessChain.TOPIC, null));
    }

    @Override
    public FarEnd farEnd() {
        return new DirectoryFarEnd(chain.target());
    }

    @Override
    public CanaryRemover removal() {
        return keep ? CanaryRemover.NONE : new DirectoryCanaryRemover(chain.target());
    }

    @Override
    public Map<Part, Victim> victims() {
        Map<Part, Victim> victims = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            victims.put(part, new OwnNode(chain, part));
        }
        return victims;
    }

    @Override
    public Optional<AdminClient> admin(Part node) {
        return chain.admin(node).map(address -> new AdminClient(address, null, ADMIN_TIMEOUT));
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public List<String> end() {
        List<String> complaints = new ArrayList<>();
        for (Part part : List.of(Part.AGENT_A, Part.AGENT_B, Part.BROKER)) {
            try {
                int code = chain.stop(part);
                if (code != 0) {
                    complaints.add(part.command() + " ended with exit code " + code + " after SIGTERM");
                }
            } catch (IllegalStateException e) {
                complaints.add(String.valueOf(e.getMessage()));
            }
        }
        complaints.addAll(check());
        return complaints;
    }

    /** Does what {@code hawser fsck} does to what the nodes have left behind. */
    private List<String> check() {
        StringWriter found = new StringWriter();
        int code = Hawser.run(
                ServiceLoader.load(Subcommand.class),
                Map.of(),
                new PrintWriter(found),
                new PrintWriter(found),
                "fsck",
                directory.toString());
        return code == 0
                ? List.of()
                : List.of("hawser fsck " + directory + ": " + found.toString().strip());
    }

    @Override
    public void close() {
        chain.end();
    }
}
