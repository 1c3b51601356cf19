package io.hawser.release.drill;

import io.hawser.core.config.HostPort;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.Errors;
import io.hawser.ops.cli.ExitCode;
import io.hawser.release.process.FtpAccount;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A running deployment that the drill did not start; the drill touches only the nodes that the operator named. Nothing is done
 * to any of its nodes that the operator has not pointed at.
 *
 * <p>Thread: one.
 */
final class ExternalDeployment implements DrillTarget {
    private static final Duration ADMIN_TIMEOUT = Duration.ofSeconds(2);
    private static final int CONNECT_MILLIS = 5000;

    private final ExternalDeploymentSettings pointed;
    private final DrillSettings settings;
    private final @Nullable NodeTls tls;

    ExternalDeployment(ExternalDeploymentSettings pointed, DrillSettings settings) {
        this.pointed = pointed;
        this.settings = settings;
        tls = pointed.keys().map(keys -> NodeTls.load(keys, Role.CLIENT)).orElse(null);
    }

    @Override
    public void start() throws InterruptedException {
        if (pointed.into().filter(into -> !Files.isDirectory(into)).isPresent()) {
            throw new CommandException(
                    ExitCode.USAGE, "--into-dir " + pointed.into().get() + " is not a directory of this machine");
        }
        for (PidSource pid : pointed.pids().values()) {
            try {
                pid.find();
            } catch (IOException e) {
                throw new CommandException(ExitCode.USAGE, "--pid: " + Errors.sentence(e), e);
            }
        }
        try {
            if (pointed.ftp().isPresent()) {
                FtpAccount.close(pointed.ftp().get().open());
            }
            if (pointed.api().isPresent()) {
                connect(pointed.api().get().broker());
            }
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.CANNOT_CONNECT,
                    "the drill cannot begin, " + description() + " does not answer: " + Errors.sentence(e),
                    e);
        }
    }

    private static void connect(HostPort address) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), CONNECT_MILLIS);
        }
    }

    @Override
    public String description() {
        String ftp = pointed.ftp().map(FtpAccount::toString).orElse("");
        String api = pointed.api().map(access -> "broker " + access.broker()).orElse("");
        return ftp + (ftp.isEmpty() || api.isEmpty() ? "" : " and ") + api;
    }

    @Override
    public Optional<FtpAccount> ftp() {
        return pointed.ftp();
    }

    @Override
    public Optional<ApiAccess> api() {
        return pointed.api();
    }

    @Override
    public FarEnd farEnd() {
        return pointed.into()
                .<FarEnd>map(DirectoryFarEnd::new)
                .orElseGet(() -> new FarEndThroughAgentA(pointed.ftp().orElseThrow()));
    }

    @Override
    public CanaryRemover removal() {
        if (settings.keep()) {
            return CanaryRemover.NONE;
        }
        return pointed.ftp()
                .<CanaryRemover>map(FtpCanaryRemover::new)
                .orElseGet(() -> new DirectoryCanaryRemover(pointed.into().orElseThrow()));
    }

    @Override
    public Map<Part, Victim> victims() {
        Map<Part, Victim> victims = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            if (settings.faults().concerns(part)) {
                victims.put(
                        part,
                        new ExternalNode(
                                part,
                                pointed.pids().get(part),
                                pointed.kills().get(part),
                                pointed.restarts().get(part),
                                isReady(part),
                                settings.patience()));
            }
        }
        return victims;
    }

    private @Nullable BooleanSupplier isReady(Part part) {
        HostPort admin = pointed.admins().get(part);
        if (admin != null) {
            return () -> answers(admin);
        }
        Optional<HostPort> door =
                switch (part) {
                    case AGENT_A -> pointed.ftp().map(FtpAccount::address);
                    case BROKER -> pointed.api().map(ApiAccess::broker);
                    case AGENT_B -> Optional.empty();
                };
        return door.<BooleanSupplier>map(address -> () -> listens(address)).orElse(null);
    }

    private boolean answers(HostPort admin) {
        try {
            new AdminClient(admin, tls, ADMIN_TIMEOUT).get("/health", Map.of());
            return true;
        } catch (CommandException e) {
            return e.exitCode() == ExitCode.REFUSED; // it is there, and says that others are not
        }
    }

    private static boolean listens(HostPort address) {
        try {
            connect(address);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public Optional<AdminClient> admin(Part node) {
        return Optional.ofNullable(pointed.admins().get(node))
                .map(address -> new AdminClient(address, tls, ADMIN_TIMEOUT));
    }

    @Override
    public boolean isShared() {
        return true;
    }
}
