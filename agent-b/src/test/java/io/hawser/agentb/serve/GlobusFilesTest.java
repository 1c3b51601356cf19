package io.hawser.agentb.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.testkit.FarServerProcess;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Reading from a real globus-gridftp-server in MODE E, which has MLSD and CKSM. */
class GlobusFilesTest extends FarFilesContract {
    @Override
    protected FarServerProcess startServer(Path in) throws Exception {
        return FarServerProcess.globus(in);
    }

    @Override
    String oddName() {
        return "-d [x] y.bin"; // it drops what is not ASCII
    }

    private byte[] whole(String name, int offset) {
        ByteBuffer into = ByteBuffer.allocate(2 * SIZE);
        RemoteFile file = files.stat(name).get();
        assertThat(files.read(new Question.Read(name, file.fingerprint(), offset, into.remaining()), into)
                        .refusal())
                .isNull();
        return Arrays.copyOf(into.array(), into.position());
    }

    @Test
    void connectionsAreKeptFromFileToFile() throws Exception {
        write("none", new byte[0]);
        write("one", new byte[] {7});

        for (int i = 0; i < 3; i++) {
            assertThat(whole("big", 0)).isEqualTo(bytes);
            assertThat(whole("none", 0)).isEmpty();
            assertThat(whole("one", 0)).containsExactly(7);
            assertThat(whole("sub dir/" + oddName(), 999)).containsExactly(bytes[999]);
            assertThat(list("sub dir", SIZE)).hasSize(1); // goes by another login
        }

        assertThat(files.blockConnections()).isEqualTo(4);
    }

    @Test
    void aPlaceInTheMiddleIsReadFromThere() {
        for (int offset : new int[] {1, 262_143, 262_144, 262_145, SIZE - 1}) {
            assertThat(whole("big", offset)).isEqualTo(Arrays.copyOfRange(bytes, offset, SIZE));
        }
    }
}
