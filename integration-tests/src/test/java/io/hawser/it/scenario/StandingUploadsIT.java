package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.net.ftp.FTP;
import org.apache.commons.net.ftp.FTPClient;
import org.junit.jupiter.api.Test;

/** More uploads than agent-a has buffers stand still in the middle of a fragment: others pass, and agent-a may die. */
class StandingUploadsIT extends Scenario {
    private static final int STANDING = 18;
    /** Of these, those whose clients come back. */
    private static final int GO_ON = 4;

    private static final int BEGUN_BYTES = (int) MIB + 77_777;
    private static final int SIZE_BYTES = (int) MIB + 300_001;

    private final List<FTPClient> clients = new ArrayList<>();
    private final List<OutputStream> uploads = new ArrayList<>();

    private FTPClient login() throws IOException {
        FTPClient client = new FTPClient();
        client.setDefaultTimeout((int) LIMIT.toMillis());
        client.setDataTimeout(LIMIT);
        client.connect(chain.ftp().host(), chain.ftp().port());
        client.login("anonymous", "x");
        client.enterLocalPassiveMode();
        client.setFileType(FTP.BINARY_FILE_TYPE);
        clients.add(client);
        return client;
    }

    /** Sends bytes {@code [from, to)} of an upload that is begun or continued, and stands still. */
    private void send(FTPClient client, String name, byte[] content, int from, int to) throws IOException {
        client.setRestartOffset(from);
        OutputStream out = client.storeFileStream(name);
        assertThat(out).as(client.getReplyString()).isNotNull();
        out.write(content, from, to - from);
        out.flush();
        uploads.add(out);
    }

    private void forget() {
        for (FTPClient client : clients) {
            try {
                client.disconnect();
            } catch (IOException e) {
                assertThat(e).as("the node was killed").isNotNull();
            }
        }
        clients.clear();
        uploads.clear();
    }

    @Test
    void theyHoldUpNobodyAndGoOnAfterAKill() throws Exception {
        chain.startAll();
        List<Path> sources = new ArrayList<>();
        for (int i = 0; i < STANDING; i++) {
            sources.add(sample("standing-" + i, SIZE_BYTES, i));
            send(login(), "standing-" + i, Files.readAllBytes(sources.get(i)), 0, BEGUN_BYTES);
        }
        for (int i = 0; i < STANDING; i++) {
            awaitHop(
                    Part.AGENT_A,
                    "standing-" + i,
                    HopStatus.CLIENT_TO_AGENT,
                    hop -> hop.bytes().durableBytes() >= MIB);
        }
        Path other = sample("other", 5 * MIB + 5, 99);
        upload(other, "other");
        awaitDelivered(other, "other");

        chain.kill(Part.AGENT_A);
        forget();
        chain.start(Part.AGENT_A);

        for (int i = 0; i < GO_ON; i++) {
            FTPClient client = login();
            int durable = Integer.parseInt(client.getSize("standing-" + i));
            assertThat(durable).isBetween((int) MIB - 1, BEGUN_BYTES);
            send(client, "standing-" + i, Files.readAllBytes(sources.get(i)), durable, SIZE_BYTES);
        }
        for (int i = 0; i < GO_ON; i++) {
            uploads.get(i).close();
        }
        for (FTPClient client : clients) {
            assertThat(client.completePendingCommand())
                    .as(client.getReplyString())
                    .isTrue();
        }
        for (int i = 0; i < GO_ON; i++) {
            awaitDelivered(sources.get(i), "standing-" + i);
        }
        forget();
    }
}
