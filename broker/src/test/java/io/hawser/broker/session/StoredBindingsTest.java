package io.hawser.broker.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.common.model.NodeId;
import io.hawser.common.storage.CorruptRecordException;
import io.hawser.common.testkit.FaultyStorage;
import io.hawser.common.testkit.Golden;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pins the file {@code nodes}. It has no version: a line is a node and a subject, and whatever else is refused. */
class StoredBindingsTest {
    private static final Path DATA = Path.of("/data");
    private static final Path FILE = DATA.resolve("nodes");
    private static final NodeId BERLIN = new NodeId(1, 0xFF);
    private static final String SUBJECT = "CN=berlin,OU=agent-a,O=Hawser";

    private final FaultyStorage storage = new FaultyStorage();

    @BeforeEach
    void make() throws Exception {
        storage.createDirectories(DATA);
    }

    private StoredBindings open() throws Exception {
        return StoredBindings.open(storage, DATA, node -> {});
    }

    @Test
    void nodesAreWrittenAndReadAsVersionOneHasThem() throws Exception {
        byte[] golden = Golden.read(StoredBindingsTest.class, "nodes.txt").get("NODES");

        assertThat(open().whyNot(BERLIN, SUBJECT)).isEmpty();
        assertThat(open().whyNot(new NodeId(1, 10), "CN=agent-b,O=Hawser")).isEmpty();

        assertThat(storage.readAll(FILE)).isEqualTo(golden);
        assertThat(open().whyNot(BERLIN, SUBJECT)).isEmpty();
        assertThat(open().whyNot(BERLIN, "CN=somebody")).isPresent();
        assertThat(storage.readAll(FILE)).isEqualTo(golden);
    }

    @Test
    void whatIsNoLineOfThisVersionIsRefusedAndLeftAsItIs() throws Exception {
        byte[] later = "version 2\n".getBytes(StandardCharsets.US_ASCII);
        storage.replaceAll(FILE, later);

        assertThatThrownBy(this::open)
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("version 2");
        assertThat(storage.readAll(FILE)).isEqualTo(later);
    }

    /** A line of its own would be a node that nobody has. */
    @Test
    void aSubjectOfTwoLinesIsOneLine() throws Exception {
        assertThat(open().whyNot(BERLIN, "CN=a\nb")).isEmpty();

        assertThat(open().whyNot(BERLIN, "CN=a\nb")).isEmpty();
        assertThat(open().whyNot(BERLIN, "CN=c")).isPresent();
    }

    /** What was torn must not become the beginning of the next line. */
    @Test
    void aTornLineIsCutOffAlsoBehindBytesThatAreNoText() throws Exception {
        byte[] torn = {'0', '0', (byte) 0xFF};
        byte[] first = (BERLIN + " CN=\u00e9\n").getBytes(StandardCharsets.ISO_8859_1);
        byte[] both = java.util.Arrays.copyOf(first, first.length + torn.length);
        System.arraycopy(torn, 0, both, first.length, torn.length);
        storage.replaceAll(FILE, both);

        open();

        assertThat(storage.readAll(FILE)).isEqualTo(first);
    }
}
