package io.hawser.broker.kafka;

import io.hawser.core.config.HostPort;
import io.hawser.kafka.KafkaNodeProbe;
import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.RemoteStoreUnavailableException;
import io.hawser.store.storage.StorageException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Looks whether a node is where Kafka should be, before Kafka's clients do: they try for a minute without a word. And whether it wants TLS
 * and the properties do not say so.
 *
 * <p>Thread: one; blocks.
 */
final class BootstrapProbe {
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final String[] addresses;
    private final KafkaNodeProbe probe;
    private final OpeningReporter reporter;
    private final Map<String, String> problems = new LinkedHashMap<>();

    BootstrapProbe(KafkaStoreConfig config, OpeningReporter reporter) {
        this.addresses = config.bootstrap().split(",", -1);
        this.probe = KafkaNodeProbe.of(config.properties());
        this.reporter = reporter;
    }

    /**
     * Waits until a node answers, and says meanwhile which do not.
     *
     * @throws RemoteStoreUnavailableException if none does within {@code limit}
     * @throws StorageException if it wants TLS and the properties do not say so
     */
    void await(Duration limit, ShutdownSignal signal) throws StorageException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!answers()) {
            if (System.nanoTime() - deadline >= 0) {
                throw new RemoteStoreUnavailableException(sentence() + "; tried for " + limit.toSeconds() + " s");
            }
            signal.pause(PAUSE);
        }
    }

    private boolean answers() throws StorageException {
        for (String address : addresses) {
            String problem = problemAt(HostPort.parse(address.strip()));
            if (problem.isEmpty()) {
                return true;
            }
            problems.put(address.strip(), problem);
            reporter.waitsFor(sentence());
        }
        return false;
    }

    private String sentence() {
        return problems.entrySet().stream()
                .map(each -> each.getKey() + " (" + each.getValue() + ")")
                .collect(Collectors.joining(", ", "Kafka cannot be reached at ", ""));
    }

    /** Empty if it answers. */
    private String problemAt(HostPort address) throws StorageException {
        try {
            return probe.problemAt(address);
        } catch (KafkaNodeProbe.WantsTlsException e) {
            throw new RemoteStoreException("Kafka at " + address
                    + " wants TLS: --kafka-properties has to say security.protocol=SSL or SASL_SSL, and not "
                    + probe.protocol());
        }
    }
}
