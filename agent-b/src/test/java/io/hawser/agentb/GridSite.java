package io.hawser.agentb;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.GridOptions;
import io.hawser.agentb.deliver.GridOptions.DataLevel;
import io.hawser.agentb.deliver.Secret;
import io.hawser.core.testkit.FarServerProcess;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.Delegation;
import io.hawser.gsi.testkit.GridPki;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A grid with a real globus-gridftp-server that speaks GSI, and an agent-b that its grid-mapfile knows. */
public final class GridSite {
    /** Makes a Globus program do TLS 1.2. */
    public static final String TLS_1_2 = "GLOBUS_GSSAPI_MAX_TLS_PROTOCOL=TLS1_2_VERSION";

    private final Path directory;
    private final GridPki pki;
    private final Credential agent;
    private final Path agentFile;

    public GridSite(Path directory) throws Exception {
        this.directory = directory;
        this.pki = GridPki.in(directory);
        this.agent = pki.user("Agent B");
        this.agentFile = pki.write("agent-b.pem", agent);
    }

    public GridPki pki() {
        return pki;
    }

    /** Who agent-b is. */
    public Credential agent() {
        return agent;
    }

    /** Where its credential is. */
    public Path agentFile() {
        return agentFile;
    }

    /** A server that maps agent-b to the account that it runs in. */
    public FarServerProcess server(Path in, String... environment) throws Exception {
        return server(in, pki.host(), agent, environment);
    }

    /** The same that shows {@code host} and maps {@code user}. */
    public FarServerProcess server(Path in, Credential host, Credential user, String... environment) throws Exception {
        Path shown = pki.write("host-" + in.getFileName() + ".pem", host);
        Path map = Files.writeString(
                directory.resolve("map-" + in.getFileName()),
                "\"" + user.identity() + "\" " + System.getProperty("user.name") + "\n");
        List<String> all = new ArrayList<>(List.of(
                "X509_CERT_DIR=" + pki.trustDirectory(),
                "X509_USER_CERT=" + shown,
                "X509_USER_KEY=" + shown,
                "GRIDMAP=" + map));
        all.addAll(List.of(environment));
        return FarServerProcess.globusWithGsi(in, all);
    }

    /** How agent-b logs in. */
    public GridOptions login() {
        return login(agentFile);
    }

    /** How somebody else logs in: a limited proxy, authenticated data connections. */
    public GridOptions login(Path credential) {
        return new GridOptions(
                new GridOptions.Files(credential, credential, pki.trustDirectory()),
                false,
                Optional.empty(),
                new GridOptions.Proxy(Delegation.LIMITED, Duration.ofHours(12)),
                DataLevel.AUTHENTICATED,
                false);
    }

    /** The same with other data connections. */
    public GridOptions login(DataLevel level, Delegation delegation) {
        GridOptions usual = login();
        return new GridOptions(
                usual.files(),
                false,
                Optional.empty(),
                new GridOptions.Proxy(delegation, usual.proxy().lifetime()),
                level,
                false);
    }

    /** The same, in the usual options. */
    public FarOptions options() {
        return FarOptions.with(new Secret("none")).withGrid(login());
    }
}
