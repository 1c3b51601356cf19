package io.hawser.agenta;

import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.account.FileAccounts;
import io.hawser.agenta.account.Permission;
import io.hawser.agenta.custody.CustodyRules;
import io.hawser.agenta.ftp.FtpServerConfig;
import io.hawser.agenta.ftp.control.FtpLimits;
import io.hawser.agenta.ftp.data.DataRules;
import io.hawser.agenta.ftp.login.FtpTls;
import io.hawser.agenta.ftp.login.TlsReuse;
import io.hawser.agenta.ftp.session.SessionPolicy;
import io.hawser.agenta.gsi.GsiFiles;
import io.hawser.agenta.http.HttpFrontConfig;
import io.hawser.agenta.namespace.NamespaceOptions;
import io.hawser.agenta.sftp.SftpConfig;
import io.hawser.agenta.sftp.session.SftpPolicy;
import io.hawser.agenta.sftp.ssh.SshLimits;
import io.hawser.core.config.ByteSize;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.core.ftp.AddressRanges;
import io.hawser.core.ftp.PortRange;
import io.hawser.core.model.CompletionRule;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Topic;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.OneWayTls;
import io.hawser.core.tls.PrivateFiles;
import io.hawser.core.tls.Role;
import io.hawser.ops.cli.AgentFlags;
import io.hawser.ops.cli.CommandSection;
import io.hawser.ops.cli.CommonNodeFlags;
import io.hawser.ops.cli.FlagGroup;
import io.hawser.ops.cli.NextSteps;
import io.hawser.ops.cli.NodeRunner;
import io.hawser.ops.cli.Subcommand;
import io.hawser.ops.node.AdminSettings;
import io.hawser.store.spool.SpoolConfig;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/**
 * {@code hawser agent-a}: starts the node that FTP clients upload to.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "agent-a",
        header = "Run agent-a, which takes uploads by FTP, SFTP and HTTP.",
        description = {
            "Takes uploads from clients and publishes them to the broker. The final reply (FTP: 226, HTTP: 201) says that the"
                    + " file is durable here; from then on it arrives, whatever dies on the way.",
            "Without --to each topic is a directory: ftp://HOST/site-b/file."
        },
        footer = {"", "Example:  hawser agent-a --to site-b", "          curl -T big.iso ftp://127.0.0.1:2121/"})
public final class AgentACommand implements Subcommand {
    /** Fragments that come in: enough that an upload by several streams need not wait for the disk, and 64 MiB hold all buffers. */
    private static final int BUFFERS = 16;

    private static final ConfigKey<Path> SPOOL = ConfigKey.path(
            "spool", "DIR", "hawser-agent-a", "its data directory: what was uploaded and is not delivered yet");
    private static final ConfigKey<HostPort> FTP =
            ConfigKey.hostPort("ftp", "127.0.0.1:2121", "where FTP clients connect; port 0 takes a free one");
    private static final ConfigKey<HostPort> SFTP = ConfigKey.hostPort(
            "sftp", null, "where SFTP clients connect besides (sftp, scp, sshfs, rclone, …); often port 2222");
    private static final ConfigKey<Path> SFTP_KEYS = ConfigKey.path(
            "sftp-keys",
            "DIR",
            null,
            "public keys for SFTP: a file DIR/ACCOUNT as OpenSSH's authorized_keys, which nobody else may write");
    private static final ConfigKey<String> TO =
            ConfigKey.text("to", "TOPIC", null, "the topic that is the FTP root; without it each topic is a directory");
    private static final ConfigKey<String> USER =
            ConfigKey.text("user", "NAME", null, "the account for FTP; without one anybody on this machine may upload");
    private static final ConfigKey<Path> USERS =
            ConfigKey.path("users", "FILE", null, "the accounts for FTP, which 'hawser user add' makes");
    private static final ConfigKey<Set<Permission>> ANONYMOUS = new ConfigKey<>(
            "anonymous",
            "off|read|write",
            null,
            "",
            "what anybody may do without an account: nothing, download and list, or everything; without this flag everything on"
                    + " loopback if there are no accounts, otherwise nothing",
            AgentACommand::anonymous);
    private static final ConfigKey<Path> PASSWORD_FILE =
            ConfigKey.path("password-file", "FILE", null, "a file with the account's password in its first line");
    private static final ConfigKey<String> PASSIVE_PORTS = ConfigKey.text(
            "passive-ports", "FIRST-LAST", null, "the ports of FTP's data connections; any free one if not given");
    private static final ConfigKey<String> PASSIVE_ADDRESS = ConfigKey.text(
            "passive-address", "IPV4", null, "the address that PASV answers with, for an agent-a behind NAT");
    private static final ConfigKey<String> DATA_PEERS = ConfigKey.text(
            "data-peers",
            "CIDR,...",
            null,
            "networks besides the client that may open data connections, from server to server");
    private static final ConfigKey<HostPort> FTPS = ConfigKey.hostPort(
            "ftps", null, "where FTP clients connect that begin with TLS (ftps://, implicit TLS); usually port 990");
    private static final ConfigKey<HostPort> HTTP =
            ConfigKey.hostPort("http", null, "where HTTP clients connect, in clear");
    private static final ConfigKey<HostPort> HTTPS =
            ConfigKey.hostPort("https", null, "the same over TLS, with the certificate of --ftps");
    private static final ConfigKey<HostPort> GRIDFTP = ConfigKey.hostPort(
            "gridftp",
            null,
            "where GridFTP clients connect, usually port 2811: with --grid-mapfile by GSI only (gsiftp:// URLs), without it as"
                    + " on --ftp (ftp:// URLs)");
    private static final ConfigKey<Path> GRID_MAPFILE = ConfigKey.path(
            "grid-mapfile",
            "FILE",
            null,
            "GSI on --gridftp: which account a certificate has, of --users or --user, or without these any name in the file");
    private static final ConfigKey<Path> HOST_CERT = ConfigKey.path(
            "host-cert",
            "FILE",
            "/etc/grid-security/hostcert.pem",
            "GSI: the certificate chain of this host, PEM; it names the host as clients do");
    private static final ConfigKey<Path> HOST_KEY =
            ConfigKey.path("host-key", "FILE", "/etc/grid-security/hostkey.pem", "GSI: the private key of --host-cert");
    private static final ConfigKey<Path> TRUSTED_CAS = ConfigKey.path(
            "trusted-cas",
            "DIR",
            "/etc/grid-security/certificates",
            "GSI: the CAs that are believed, with signing policies and revocation lists, named by their hashes");
    private static final ConfigKey<Path> DELEGATE_TO = ConfigKey.path(
            "delegate-to",
            "DIR",
            null,
            "GSI: a certificate TOPIC.pem for each far end that logs in as the user who uploads (agent-b --into-as-user); delegated credentials go there sealed");
    private static final ConfigKey<Boolean> LEGACY_PROXIES =
            ConfigKey.toggle("legacy-proxies", "GSI: accept proxies of GT2 (CN=proxy) besides those of RFC 3820");
    private static final ConfigKey<Path> TLS_CERT = ConfigKey.path(
            "tls-cert", "FILE", null, "certificate chain of FTP over TLS, PEM; without it the one of --tls serves");
    private static final ConfigKey<Path> TLS_KEY =
            ConfigKey.path("tls-key", "FILE", null, "private key of --tls-cert, PEM");
    private static final ConfigKey<Boolean> REQUIRE_TLS =
            ConfigKey.toggle("require-tls", "refuse FTP logins and data connections without TLS");
    private static final ConfigKey<TlsReuse> TLS_REUSE = ConfigKey.choice(
            "tls-reuse",
            TlsReuse.PREFER,
            "whether FTP data connections within TLS must resume the control connection's TLS session, which no other program can:"
                    + " refuse those that do not, note them for the audit log, or do not look");
    private static final ConfigKey<String> CUSTODY = ConfigKey.text(
            "custody",
            "LEVEL,/DIR=LEVEL,...",
            "spooled",
            "when an upload gets its final reply: spooled (durable here), brokered, landed (verified at the far end) or"
                    + " delivered; also for single directories");
    private static final ConfigKey<CompletionRule> COMPLETE = new ConfigKey<>(
            "complete",
            "all|any:K",
            "all",
            "",
            "how many subscriptions must have an upload for the levels landed and delivered: all that were there at its commit, or any K of"
                    + " them",
            CompletionRule::parse);
    private static final ConfigKey<Duration> CUSTODY_WAIT = ConfigKey.duration(
            "custody-wait",
            "100s",
            "how long a client waits for that at most; then the reply is 250 (HTTP: 202) and names what is reached");
    private static final ConfigKey<Boolean> PARTIAL_LISTINGS = ConfigKey.toggle(
            "partial-listings",
            "while the far end cannot be asked, list over FTP what is known here, although files may be missing; without this"
                    + " the reply is 451, since mirrors delete what is not listed");
    private static final ConfigKey<ByteSize> QUOTA = new ConfigKey<>(
            "spool-quota",
            "SIZE",
            null,
            "",
            "bytes that the spool may hold; no limit but the disk if not given",
            ByteSize::parse);
    private static final ConfigKey<Duration> RETAIN_INCOMPLETE = ConfigKey.duration(
            "retain-incomplete", "24h", "how long an upload that broke off is kept for its client to continue");
    private static final ConfigKey<Path> XFERLOG = ConfigKey.path(
            "xferlog", "FILE", null, "a line for each upload and download, as wu-ftpd writes it, for log analysers");
    private static final ConfigKey<Optional<HostPort>> ADMIN = CommonNodeFlags.admin("127.0.0.1:7481", "");

    @SuppressWarnings("NullAway.Init") // set by configure, which comes before call
    private AgentAConfig settings;

    @SuppressWarnings("NullAway.Init") // set by configure, which comes before call
    private Config config;

    @Override
    public CommandSection section() {
        return CommandSection.NODES;
    }

    @Override
    public List<FlagGroup> flagGroups() {
        return List.of(
                AgentFlags.group(),
                FlagGroup.of(
                        "FTP and HTTP",
                        FTP,
                        TO,
                        FTPS,
                        HTTP,
                        HTTPS,
                        PASSIVE_PORTS,
                        PASSIVE_ADDRESS,
                        DATA_PEERS,
                        XFERLOG),
                FlagGroup.of("SFTP", SFTP, SFTP_KEYS),
                FlagGroup.of("Accounts", USERS, USER, PASSWORD_FILE, ANONYMOUS),
                FlagGroup.of("Replies to clients", CUSTODY, COMPLETE, CUSTODY_WAIT, PARTIAL_LISTINGS),
                FlagGroup.of("Spool", SPOOL, QUOTA, RETAIN_INCOMPLETE),
                FlagGroup.of("FTP over TLS", TLS_CERT, TLS_KEY, REQUIRE_TLS, TLS_REUSE),
                FlagGroup.of(
                        "GridFTP and GSI",
                        GRIDFTP,
                        GRID_MAPFILE,
                        HOST_CERT,
                        HOST_KEY,
                        TRUSTED_CAS,
                        LEGACY_PROXIES,
                        DELEGATE_TO),
                new FlagGroup("Limits of FTP clients", FtpLimitKeys.all()),
                CommonNodeFlags.oversightGroup(ADMIN),
                CommonNodeFlags.historyGroup(),
                CommonNodeFlags.tlsGroup());
    }

    @Override
    public void configure(Config values) {
        config = values;
        Optional<HostPort> admin = config.get(ADMIN);
        admin.ifPresent(address -> CommonNodeFlags.checkListening(config, ADMIN, address));
        SpoolConfig spool = SpoolConfig.defaults()
                .withRetainIncomplete(config.get(RETAIN_INCOMPLETE))
                .withKeepUntilAllowed(true);
        config.requirePartner(SFTP, SFTP_KEYS);
        config.requirePartner(GRID_MAPFILE, HOST_CERT, HOST_KEY, TRUSTED_CAS, LEGACY_PROXIES, DELEGATE_TO);
        NodeTls tls = CommonNodeFlags.tls(config, Role.AGENT_A);
        FtpServerConfig ftp = ftp(config);
        settings = new AgentAConfig(
                config.get(AgentFlags.BROKER),
                AgentFlags.dialling(config, tls),
                new AgentAConfig.Store(
                        config.get(SPOOL),
                        config.find(QUOTA)
                                .map(quota -> spool.withQuotaBytes(quota.bytes()))
                                .orElse(spool)),
                new AgentAConfig.Buffers(Manifest.DEFAULT_FRAGMENT_SIZE_BYTES, BUFFERS),
                ftp,
                new AdminSettings(admin, tls, CommonNodeFlags.supervision(config, "agent-a")),
                config.find(XFERLOG),
                http(config, ftp.sessions()),
                config.find(SFTP).map(address -> sftp(config, address.resolve(), ftp.sessions())));
    }

    private static Optional<HttpFrontConfig> http(Config config, SessionPolicy shared) {
        Optional<HostPort> plain = config.find(HTTP);
        Optional<HostPort> encrypted = config.find(HTTPS);
        if (plain.isEmpty() && encrypted.isEmpty()) {
            return Optional.empty();
        }
        FtpTls tls = shared.tls();
        if (encrypted.isPresent() && tls == null) {
            throw new ConfigException(
                    "--https needs a certificate: --tls-cert FILE and --tls-key FILE, or --tls DIR ('hawser keys init DIR' makes it)");
        }
        if (plain.isPresent() && config.get(REQUIRE_TLS)) {
            throw new ConfigException("--require-tls refuses --http, which is in clear; give --https");
        }
        try {
            return Optional.of(new HttpFrontConfig(
                    plain.map(HostPort::resolve),
                    encrypted.map(HostPort::resolve),
                    tls == null ? null : tls.keys(),
                    shared.accounts(),
                    shared.custody(),
                    FtpLimitKeys.http(shared.limits())));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    /** Accounts, custody and limits are those of FTP. */
    private static SftpConfig sftp(Config config, InetSocketAddress listen, SessionPolicy ftp) {
        boolean isOpen = ftp.accounts().needLoopback();
        if (isOpen && !listen.isUnresolved() && !listen.getAddress().isLoopbackAddress()) {
            throw new ConfigException(
                    "SFTP on " + listen.getHostString()
                            + " can be reached from other machines, so it needs accounts: give --users FILE, or listen on 127.0.0.1");
        }
        FtpLimits limits = ftp.limits();
        try {
            return new SftpConfig(
                    listen,
                    config.find(SFTP_KEYS),
                    new SshLimits(
                            limits.sessions().max(),
                            limits.sessions().ofPeer(),
                            limits.sessions().ofAccount(),
                            limits.sessions().notLoggedIn(),
                            limits.login().time(),
                            limits.login().failureDelay(),
                            limits.login().maxFailures()),
                    new SftpPolicy(
                            ftp.custody(),
                            limits.times().custody(),
                            limits.times().evidenceWindow()));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    private static FtpServerConfig ftp(Config config) {
        try {
            NamespaceOptions names = new NamespaceOptions(
                    config.find(TO).map(Topic::new).orElse(null),
                    config.get(PARTIAL_LISTINGS),
                    NamespaceOptions.DEFAULT.farLookTime());
            SessionPolicy sessions = new SessionPolicy(
                    accounts(config),
                    data(config),
                    FtpLimitKeys.limits(config, config.get(CUSTODY_WAIT)),
                    CustodyRules.parse(config.get(CUSTODY)).withCompletion(config.get(COMPLETE)),
                    tls(config),
                    gsi(config));
            return new FtpServerConfig(
                    config.get(FTP).resolve(),
                    config.find(GRIDFTP).map(HostPort::resolve).orElse(null),
                    names,
                    sessions);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable GsiFiles gsi(Config config) {
        Optional<Path> map = config.find(GRID_MAPFILE);
        if (map.isEmpty()) {
            return null;
        }
        if (config.find(GRIDFTP).isEmpty()) {
            throw new ConfigException("--grid-mapfile is for clients of --gridftp HOST:PORT");
        }
        try {
            GsiFiles files = GsiFiles.open(
                    config.get(HOST_CERT),
                    config.get(HOST_KEY),
                    config.get(TRUSTED_CAS),
                    map.get(),
                    config.get(LEGACY_PROXIES));
            return config.find(DELEGATE_TO).isPresent()
                    ? files.withRecipients(config.find(DELEGATE_TO).get())
                    : files;
        } catch (IOException e) {
            throw new ConfigException("GSI: " + e.getMessage());
        }
    }

    private static @Nullable FtpTls tls(Config config) {
        Optional<Path> certificate = config.find(TLS_CERT);
        if (certificate.isPresent() != config.find(TLS_KEY).isPresent()) {
            throw new ConfigException("--tls-cert and --tls-key go together");
        }
        Optional<HostPort> implicit = config.find(FTPS);
        if (certificate.isEmpty() && config.find(CommonNodeFlags.TLS).isEmpty()) {
            boolean needed =
                    implicit.isPresent() || config.get(REQUIRE_TLS) || config.get(TLS_REUSE) == TlsReuse.REQUIRE;
            if (needed) {
                throw new ConfigException(
                        "--ftps, --require-tls and --tls-reuse require need a certificate: --tls-cert FILE"
                                + " and --tls-key FILE, or --tls DIR ('hawser keys init DIR' makes it)");
            }
            return null;
        }
        OneWayTls keys = certificate
                .map(file -> OneWayTls.load(file, config.get(TLS_KEY)))
                .orElseGet(() -> NodeTls.load(config.get(CommonNodeFlags.TLS), Role.AGENT_A)
                        .openServerTls());
        return new FtpTls(
                keys,
                config.get(REQUIRE_TLS),
                config.get(TLS_REUSE),
                implicit.map(HostPort::resolve).orElse(null));
    }

    private static Set<Permission> anonymous(String text) {
        return switch (text) {
            case "off" -> Set.of();
            case "read" -> Set.of(Permission.READ, Permission.LIST);
            case "write" -> Permission.all();
            default -> throw new IllegalArgumentException("'" + text + "' is not off, read or write");
        };
    }

    private static DataRules data(Config config) {
        return new DataRules(
                config.find(PASSIVE_PORTS).map(PortRange::parse).orElse(PortRange.ANY),
                config.find(PASSIVE_ADDRESS).map(AgentACommand::ipv4).orElse(null),
                config.find(DATA_PEERS).map(AddressRanges::parse).orElse(AddressRanges.NONE));
    }

    private static Inet4Address ipv4(String text) {
        if (NetUtil.isValidIpV4Address(text)
                && NetUtil.createInetAddressFromIpAddressString(text) instanceof Inet4Address address) {
            return address;
        }
        throw new IllegalArgumentException("--passive-address is an IPv4 address, not " + text);
    }

    private static Accounts accounts(Config config) {
        Optional<String> user = config.find(USER);
        Optional<Path> file = config.find(PASSWORD_FILE);
        List<Accounts> all = new ArrayList<>();
        config.find(USERS).ifPresent(users -> all.add(Accounts.of(new FileAccounts(users))));
        if (user.isPresent() || file.isPresent()) {
            all.add(Accounts.of(config.get(USER), password(config.get(PASSWORD_FILE))));
        }
        config.find(ANONYMOUS)
                .filter(permissions -> !permissions.isEmpty())
                .ifPresent(permissions -> all.add(Accounts.anonymousAnywhere(permissions)));
        if (config.find(ANONYMOUS).filter(Set::isEmpty).isPresent() && all.isEmpty()) {
            throw new ConfigException("with --anonymous off and no account nobody could log in; give --users FILE");
        }
        return all.stream().reduce(Accounts::and).orElseGet(Accounts::anonymous);
    }

    private static String password(Path file) {
        String password = PrivateFiles.firstLine(PASSWORD_FILE.flag(), file);
        if (password.isEmpty()) {
            throw new ConfigException("--password-file " + file + " has no password in its first line");
        }
        return password;
    }

    @Override
    public Integer call() {
        return NodeRunner.run("agent-a", () -> AgentA.start(settings), this::next);
    }

    private NextSteps next(AgentA node) {
        boolean account = config.find(USERS).isPresent() || config.find(USER).isPresent();
        String login = account ? "-u " + config.find(USER).orElse("USER") + " " : "";
        String tls = config.get(REQUIRE_TLS) ? "--ssl-reqd " : "";
        String topic = config.find(TO).orElse("");
        String url = "ftp://" + AgentFlags.reachable(node.addresses().getOrDefault("ftp", "HOST")) + "/"
                + (topic.isEmpty() ? "TOPIC/" : "");
        return new NextSteps()
                .add(
                        "curl " + tls + login + "-T FILE " + url,
                        "upload a file" + (topic.isEmpty() ? " to a topic" : " to " + topic)
                                + "; 226 means that it is durable here")
                .add("curl " + tls + login + url, "list what is at the far end");
    }
}
