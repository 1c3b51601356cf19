package io.hawser.it.sim;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.InvariantName;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What holds of names that change and of files that are read through the chain. */
final class EdgeInvariants {
    private final SimChain chain;

    EdgeInvariants(SimChain chain) {
        this.chain = chain;
    }

    /** No chimera: what was read is one version of the file, the one that was looked at first. */
    void read(String fingerprint, byte[] content) {
        Invariants.check(
                chain.anyTruth(key -> key.toString().equals(fingerprint), content),
                InvariantName.NO_CHIMERA,
                "what was read is not the version that was found",
                fingerprint);
    }

    /** A read fails for a reason of the file's, never because somebody died. */
    void notRead(Topic topic, String path, Refusal refusal) {
        boolean ofTheFile = refusal.code() == ErrorCode.NOT_FOUND || refusal.code() == ErrorCode.SOURCE_CHANGED;
        boolean nobodyServes = chain.consumers.stream()
                .noneMatch(consumer -> consumer.spec().topic().equals(topic)
                        && !chain.operator.wasEverRemoved(consumer.subscription()));
        Invariants.check(
                ofTheFile || nobodyServes,
                InvariantName.ACCEPT_WHAT_CAN_FINISH,
                "a read failed for what is no reason",
                path + " " + refusal);
    }

    /** Order by path: the names at each far end are what comes of doing what it got in its publishers' order. */
    void atEnd() {
        if (!chain.plan.edges()) {
            return;
        }
        for (SimConsumer consumer : chain.consumers) {
            Map<String, TransferKey> expected = expected(consumer.landing().delivered());
            Map<String, TransferKey> found = consumer.landing().visible();
            Invariants.check(
                    expected.equals(found),
                    InvariantName.ORDER_BY_PATH,
                    "the names at " + consumer + " are not what its publishers' order makes of them",
                    "expected " + expected + " found " + found);
        }
        for (SimPublisher publisher : chain.publishers) {
            Invariants.check(
                    publisher.reader().memory().available()
                            == publisher.reader().memory().capacity(),
                    InvariantName.BOUNDED_MEMORY,
                    publisher + " has not given back the memory of its reads",
                    publisher.reader().memory().available());
        }
        chain.broker.checkCalls();
    }

    /** The plainest way: one after the other, each publisher's in its order (publishers share no path). */
    private static Map<String, TransferKey> expected(List<Manifest> delivered) {
        Map<String, TransferKey> names = new TreeMap<>();
        delivered.stream()
                .sorted(Comparator.comparing(
                                (Manifest manifest) -> manifest.key().publisher())
                        .thenComparingLong(Manifest::number))
                .forEach(manifest -> apply(names, manifest));
        return names;
    }

    private static void apply(Map<String, TransferKey> names, Manifest manifest) {
        switch (manifest.kind()) {
            case DELETE -> names.remove(manifest.name());
            case RENAME -> {
                String target = manifest.attributes().getOrDefault(Attributes.RENAMED_TO, "");
                for (String name : List.copyOf(names.keySet())) {
                    if ((name + "/").startsWith(manifest.name() + "/")) {
                        names.put(target + name.substring(manifest.name().length()), names.remove(name));
                    }
                }
            }
            case FILE -> names.put(manifest.name(), manifest.key());
            default -> {
                // Directories, times and modes change no file's name.
            }
        }
    }
}
