package io.hawser.it.bench;

import io.hawser.core.access.Grants;
import io.hawser.core.model.NodeId;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.core.wire.Greeting;
import io.hawser.it.bench.report.Bench;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Measurement;
import io.hawser.it.bench.report.MedianAndRange;
import io.hawser.it.harness.ChainUpload;
import io.hawser.it.hostile.Attack;
import io.hawser.it.hostile.FloodNode;
import io.hawser.ops.keys.KeyMaker;
import io.hawser.ptcp.NettyTransports;
import io.hawser.ptcp.PtcpException;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An honest publisher's rate through three nodes with mutual TLS and an ACL file, alone and beside each kind of {@link Attack} at the
 * broker, by turns; and how long another honest node takes meanwhile to make a session.
 */
final class HostileBench implements Bench {
    private static final double AIM = 0.8;
    private static final Duration KEYS_HOLD = Duration.ofDays(2);
    /** Until an attack has come to its full rate. */
    private static final long WARM_UP_MILLIS = 1_000;

    private final ProcessChain chain;
    private final Path directory;
    private final long sizeBytes;
    private final int runs;
    private final EventLoopGroup loops = NettyTransports.newNioGroup(1);
    private final SplittableRandom random = new SplittableRandom();
    private final Measured alone = new Measured();
    private final Map<Attack.Kind, Measured> found = new EnumMap<>(Attack.Kind.class);
    private volatile @Nullable Attacker attacker;
    private int uploads;
    private boolean equal = true;

    /** What was measured alone, or beside one kind of attack; {@code ratios} are of the rates right before. */
    private static final class Measured {
        final List<Double> rates = new ArrayList<>();
        final List<Double> ratios = new ArrayList<>();
        final List<Double> sessionSeconds = new ArrayList<>();
        final List<Double> brokerCores = new ArrayList<>();
        final List<Double> attacks = new ArrayList<>();

        Measurement figure(String name) {
            return Measurement.of(Map.of("beside", name), "MB/s", rates)
                    .also("ms to make a session", median(sessionSeconds) * 1e3)
                    .also("processors of the broker", median(brokerCores));
        }
    }

    HostileBench(ProcessChain chain, Path directory, long sizeBytes, int runs) {
        this.chain = chain;
        this.directory = directory;
        this.sizeBytes = sizeBytes;
        this.runs = runs;
    }

    @Override
    public boolean run(BenchReport report) throws IOException, InterruptedException {
        KeyDirectory keys = new KeyDirectory(directory.resolve("keys"));
        KeyDirectory attackers = new KeyDirectory(directory.resolve("attacker-keys"));
        KeyMaker maker = new KeyMaker(Set.of("localhost", "127.0.0.1"), KEYS_HOLD, Instant.now());
        maker.fill(keys);
        for (Role role : Set.of(Role.AGENT_A, Role.AGENT_B)) {
            KeyDirectory made = new KeyDirectory(attackers.path().resolve(role.fileName()));
            Files.createDirectories(attackers.path());
            maker.add(keys, made, role, Attack.NAME, Grants.NONE);
        }
        Path acl = Files.writeString(
                directory.resolve("acl"),
                "agent-a:agent-a all " + ProcessChain.TOPIC + "\nagent-b:agent-b all " + ProcessChain.TOPIC + "\n"
                        + Attack.RULES);
        chain.with(Part.BROKER, "--acl", acl.toString());
        chain.withTls(keys.path());
        chain.startAll();
        NodeTls honest = NodeTls.load(keys.path(), Role.AGENT_A);
        for (int i = 0; i < 2; i++) {
            double unused = upload(new Measured());
        }
        for (int run = 1; run <= runs; run++) {
            for (Attack.Kind kind : Attack.Kind.values()) {
                alone.sessionSeconds.add(sessionSeconds(honest));
                double before = upload(alone);
                double beside = beside(kind, attackers, honest, before);
                report.say("run %d  alone %.0f MB/s, beside %s %.0f MB/s", run, before, kind.what(), beside);
            }
        }
        show(report);
        report.note(
                "the attacker runs on the same processors, with a lower priority; x alone: of the upload right before, median");
        return report.noteEqual(equal);
    }

    /** Returns the rate. */
    private double beside(Attack.Kind kind, KeyDirectory attackers, NodeTls honest, double before)
            throws IOException, InterruptedException {
        Measured beside = of(kind);
        Path keys = attackers.path().resolve(Attack.role(kind).fileName());
        Attacker attack = Attacker.start(kind, chain.brokerPtcp(), keys, directory);
        attacker = attack;
        try {
            TimeUnit.MILLISECONDS.sleep(WARM_UP_MILLIS);
            double rate = upload(beside);
            beside.ratios.add(rate / before);
            beside.sessionSeconds.add(sessionSeconds(honest));
            beside.attacks.add(attack.stop());
            return rate;
        } finally {
            attack.end();
        }
    }

    private Measured of(Attack.Kind kind) {
        return found.computeIfAbsent(kind, unused -> new Measured());
    }

    /** Uploads once, and adds its rate and how many processors the broker used meanwhile; returns the rate in MB/s. */
    private double upload(Measured to) throws IOException, InterruptedException {
        int seed = uploads++;
        ChainUpload upload = ChainUpload.of(chain, "upload-" + seed, sizeBytes, seed);
        equal &= upload.equal();
        double seconds = upload.deliveredSeconds();
        double rate = sizeBytes / 1e6 / seconds;
        to.rates.add(rate);
        to.brokerCores.add(upload.cpuSeconds().getOrDefault(Part.BROKER, 0.0) / seconds);
        return rate;
    }

    /** How long an honest node takes to make a session now. */
    private double sessionSeconds(NodeTls honest) throws IOException {
        NodeId node = new NodeId(random.nextLong(), random.nextLong());
        long began = System.nanoTime();
        try (FloodNode made =
                FloodNode.connect(loops, chain.brokerPtcp(), honest, new Greeting(Greeting.Role.AGENT_A, node, 1))) {
            return made.isOpen() ? (System.nanoTime() - began) / 1e9 : Double.NaN;
        } catch (PtcpException e) {
            throw new IOException("an honest node made no session: " + e.getMessage(), e);
        }
    }

    private void show(BenchReport report) {
        report.add(alone.figure("alone"));
        for (Attack.Kind kind : Attack.Kind.values()) {
            Measured beside = of(kind);
            report.add(beside.figure("beside " + kind.what())
                    .aimed(AIM * median(alone.rates))
                    .also("x alone", median(beside.ratios))
                    .also("of them a second", median(beside.attacks)));
        }
    }

    private static double median(List<Double> values) {
        return MedianAndRange.of(values).median();
    }

    @Override
    public void end() {
        Attacker running = attacker;
        if (running != null) {
            running.end();
        }
        chain.end();
        var unused = loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
}
