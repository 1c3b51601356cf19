package io.hawser.it.chaos;

import io.hawser.ops.cli.AgentKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The controls of a run: before it, the oracle is shown by hand a delivery that is right and one of each kind of damage, and must call
 * each what it is. Thread: one.
 */
final class Controls implements AutoCloseable {
    private static final int LOOK_TRIES = 1000;
    private static final int LOOK_PAUSE_MILLIS = 10;

    private final Violations violations = new Violations("control");
    private final Map<String, Publications> publications = new LinkedHashMap<>();
    private final Deployment deployment;
    private final Journal journal;

    private Controls(Path directory) throws IOException {
        deployment = new Deployment(
                directory.resolve("nodes"),
                Set.of(),
                String.valueOf(AgentKeys.STREAMS.defaultText()),
                Settings.Store.LOCAL);
        journal = new Journal(directory.resolve("journal"));
        for (String b : Deployment.SUBSCRIPTIONS) {
            publications.put(
                    b,
                    new Publications(
                            b, deployment.target(b), java.util.List.of("p"), journal, violations, new Pulse()));
        }
    }

    private interface Damage {
        void on(Controls controls) throws Exception;
    }

    /** By control, whether it came out as it must. */
    static Map<String, Boolean> run(Path directory) throws Exception {
        Map<String, Damage> damages = new TreeMap<>();
        damages.put("right", controls -> controls.deliver(true, "whole"));
        damages.put("lost", controls -> controls.deliver(false, "whole"));
        damages.put("corrupt", controls -> {
            Journal.Version version = controls.deliver(true, "whole");
            controls.journal.attempt(version);
            controls.publish("b1", "p/o-1", "wh");
        });
        damages.put("duplicated", controls -> {
            controls.deliver(true, "whole");
            controls.publish("b2", "p/o-1", "whole");
        });
        damages.put("order", controls -> {
            Journal.Version version = controls.deliver(true, "whole");
            controls.deliver(true, "later");
            controls.journal.attempt(version);
            controls.publish("b1", "p/o-1", "whole");
        });
        Map<String, Boolean> verdicts = new TreeMap<>();
        for (Map.Entry<String, Damage> damage : damages.entrySet()) {
            try (Controls controls = new Controls(directory.resolve(damage.getKey()))) {
                damage.getValue().on(controls);
                Set<String> found = controls.judge();
                verdicts.put(
                        damage.getKey(),
                        found.equals(damage.getKey().equals("right") ? Set.of() : Set.of(damage.getKey())));
            }
        }
        return verdicts;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Journal.Version deliver(boolean atBoth, String content) throws Exception {
        Journal.Version version = journal.version("p/o-1", bytes(content));
        journal.attempt(version);
        journal.acked(version, "spooled");
        publish("b1", "p/o-1", content);
        if (atBoth) {
            publish("b2", "p/o-1", content);
        }
        return version;
    }

    /** As agent-b does it, and waits until it was looked at. */
    private void publish(String subscription, String path, String content) throws Exception {
        Publications seen = publications.get(subscription);
        if (seen == null) {
            throw new IllegalArgumentException(subscription);
        }
        int before = seen.looks();
        Path part = deployment.target(subscription).resolve(".hawser-part");
        Files.writeString(part, content);
        Files.move(part, deployment.target(subscription).resolve(path), StandardCopyOption.ATOMIC_MOVE);
        for (int i = 0; i < LOOK_TRIES && seen.looks() == before; i++) {
            Thread.sleep(LOOK_PAUSE_MILLIS);
        }
    }

    private Set<String> judge() throws IOException {
        new Oracle(deployment, journal, publications, violations).judge();
        return violations.all().keySet();
    }

    @Override
    public void close() throws IOException {
        for (Publications seen : publications.values()) {
            seen.close();
        }
        deployment.close();
        journal.close();
    }
}
