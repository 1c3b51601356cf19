package io.hawser.ptcp.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.testkit.TestTimes;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Reading and writing. */
class StreamContractTest extends SocketContract {
    StreamContractTest(SocketKind kind) {
        super(kind);
    }

    @Test
    void bytesCrossBothWaysAndEachDirectionEndsByItself() throws IOException {
        connect();
        near.getOutputStream().write("question".getBytes(UTF_8));
        near.shutdownOutput();
        assertThat(far.getInputStream().readAllBytes()).asString(UTF_8).isEqualTo("question");
        far.getOutputStream().write("answer".getBytes(UTF_8));
        far.shutdownOutput();
        assertThat(near.getInputStream().readAllBytes()).asString(UTF_8).isEqualTo("answer");
        assertThat(near.isClosed()).isFalse();
        assertThat(far.isClosed()).isFalse();
    }

    @Test
    void readTakesWhatIsThereAndDoesNotWaitForMore() throws IOException {
        connect();
        far.getOutputStream().write(new byte[10]);
        assertThat(near.getInputStream().read(new byte[100_000])).isBetween(1, 10);
    }

    @Test
    void readOfOneByteIsUnsigned() throws IOException {
        connect();
        far.getOutputStream().write(new byte[] {(byte) 0xff, 0, 0x7f});
        InputStream in = near.getInputStream();
        assertThat(in.read()).isEqualTo(0xff);
        assertThat(in.read()).isZero();
        assertThat(in.read()).isEqualTo(0x7f);
    }

    @Test
    void readAndWriteOfNothingReturnAtOnce() throws IOException {
        connect();
        assertThat(near.getInputStream().read(new byte[5], 2, 0)).isZero();
        near.getOutputStream().write(new byte[5], 5, 0);
        near.getOutputStream().write(new byte[0]);
        near.shutdownOutput();
        assertThat(far.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    @SuppressWarnings("ResultOfMethodCallIgnored") // they throw
    void boundsOutsideTheArrayAreRefused() throws IOException {
        connect();
        InputStream in = near.getInputStream();
        OutputStream out = near.getOutputStream();
        assertThatThrownBy(() -> in.read(new byte[5], 3, 3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> in.read(new byte[5], -1, 3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> out.write(new byte[5], 3, 3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> out.write(new byte[5], 0, -1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void endIsReadAgainAndAgain() throws IOException {
        connect();
        far.close();
        InputStream in = near.getInputStream();
        assertThat(in.read()).isEqualTo(-1);
        assertThat(in.read(new byte[10])).isEqualTo(-1);
        assertThat(in.available()).isZero();
        near.close();
        assertThat(in.read()).isEqualTo(-1);
    }

    @Test
    void availableCountsWhatCanBeReadAtOnce() throws IOException {
        connect();
        InputStream in = near.getInputStream();
        assertThat(in.available()).isZero();
        far.getOutputStream().write(new byte[1000]);
        await().until(() -> in.available() == 1000);
        assertThat(in.readNBytes(400)).hasSize(400);
        assertThat(in.available()).isEqualTo(600);
    }

    @Test
    void bytesCanBeSkipped() throws IOException {
        connect();
        far.getOutputStream().write("0123456789".getBytes(UTF_8));
        near.getInputStream().skipNBytes(7);
        assertThat(near.getInputStream().readNBytes(3)).asString(UTF_8).isEqualTo("789");
    }

    @Test
    void manyBytesCrossBothWaysAtOnce() throws Exception {
        connect();
        long length = 8 << 20;
        Background<Long> nearOut = supply(() -> write(near.getOutputStream(), 1, length));
        Background<Long> farOut = supply(() -> write(far.getOutputStream(), 2, length));
        Background<Long> nearIn = supply(() -> read(near.getInputStream(), length));
        Background<Long> farIn = supply(() -> read(far.getInputStream(), length));
        assertThat(farIn.get(TestTimes.SECONDS, TimeUnit.SECONDS))
                .isEqualTo(nearOut.get(TestTimes.SECONDS, TimeUnit.SECONDS));
        assertThat(nearIn.get(TestTimes.SECONDS, TimeUnit.SECONDS))
                .isEqualTo(farOut.get(TestTimes.SECONDS, TimeUnit.SECONDS));
    }

    @Test
    void manyTinyWritesArriveInOrder() throws Exception {
        connect();
        int count = 20_000;
        Background<Boolean> writer = supply(() -> {
            for (int i = 0; i < count; i++) {
                near.getOutputStream().write(i);
            }
            near.shutdownOutput();
            return true;
        });
        byte[] expected = new byte[count];
        for (int i = 0; i < count; i++) {
            expected[i] = (byte) i;
        }
        assertThat(far.getInputStream().readAllBytes()).isEqualTo(expected);
        assertThat(writer.get(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void slowReaderHoldsTheWriterBack() throws Exception {
        connectNarrowly();
        AtomicLong written = new AtomicLong();
        Background<Long> writer = supply(() -> {
            byte[] piece = new byte[64 << 10];
            for (int i = 0; i < 128; i++) {
                near.getOutputStream().write(piece);
                written.addAndGet(piece.length);
            }
            near.shutdownOutput();
            return written.get();
        });
        await().until(() -> written.get() > 0);
        AtomicLong before = new AtomicLong(-1);
        await().pollInterval(Duration.ofMillis(300)).until(() -> before.getAndSet(written.get()) == written.get());
        assertThat(writer).isNotDone();

        assertThat(far.getInputStream().transferTo(OutputStream.nullOutputStream()))
                .isEqualTo(writer.get(TestTimes.SECONDS, TimeUnit.SECONDS))
                .isEqualTo(8L << 20);
    }

    @Test
    void writesOfTwoThreadsDoNotMix() throws Exception {
        connect();
        int length = 3 << 20;
        Background<Boolean> one = supply(() -> writeRecord(1, length));
        Background<Boolean> two = supply(() -> writeRecord(2, length));
        DataInputStream in = new DataInputStream(far.getInputStream());
        for (int i = 0; i < 2; i++) {
            byte[] whole = in.readNBytes(length);
            byte[] expected = new byte[length];
            Arrays.fill(expected, whole[0]);
            assertThat(Arrays.equals(whole, expected)).isTrue();
        }
        assertThat(one.get(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(two.get(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void readsOfTwoThreadsTakeEachByteOnce() throws Exception {
        connect();
        int length = 2 << 20;
        Background<Long> one = supply(() -> sumOfAll(near.getInputStream()));
        Background<Long> two = supply(() -> sumOfAll(near.getInputStream()));
        byte[] content = new byte[length];
        Arrays.fill(content, (byte) 3);
        far.getOutputStream().write(content);
        far.shutdownOutput();
        assertThat(one.get(TestTimes.SECONDS, TimeUnit.SECONDS) + two.get(TestTimes.SECONDS, TimeUnit.SECONDS))
                .isEqualTo(3L * length);
    }

    private static long sumOfAll(InputStream in) throws IOException {
        byte[] buffer = new byte[5_000];
        long sum = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            for (int i = 0; i < n; i++) {
                sum += buffer[i];
            }
        }
        return sum;
    }

    @Test
    void transferToTakesAllToTheEnd() throws Exception {
        connect();
        Background<Long> copied = supply(() -> far.getInputStream().transferTo(far.getOutputStream()));
        Background<Long> back = supply(() -> read(near.getInputStream(), 3 << 20));
        assertThat(write(near.getOutputStream(), 5, 3 << 20)).isEqualTo(back.get(TestTimes.SECONDS, TimeUnit.SECONDS));
        near.shutdownOutput();
        assertThat(copied.get(TestTimes.SECONDS, TimeUnit.SECONDS)).isEqualTo(3L << 20);
    }

    private boolean writeRecord(int mark, int length) throws IOException {
        byte[] content = new byte[length];
        Arrays.fill(content, (byte) mark);
        near.getOutputStream().write(content);
        return true;
    }

    /** Writes random bytes in pieces of random length; returns their CRC. */
    private static long write(OutputStream out, long seed, long length) throws IOException {
        Random random = new Random(seed);
        CRC32C crc = new CRC32C();
        byte[] buffer = new byte[300_000];
        random.nextBytes(buffer);
        for (long left = length; left > 0; ) {
            buffer[random.nextInt(buffer.length)] ^= (byte) random.nextInt();
            int n = (int) Math.min(left, 1 + random.nextInt(random.nextInt(3) == 0 ? 100 : buffer.length));
            out.write(buffer, 0, n);
            crc.update(buffer, 0, n);
            left -= n;
        }
        return crc.getValue();
    }

    private static long read(InputStream in, long length) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] buffer = new byte[200_000];
        for (long left = length; left > 0; ) {
            int n = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (n < 0) {
                throw new IOException("ends " + left + " bytes too early");
            }
            crc.update(buffer, 0, n);
            left -= n;
        }
        return crc.getValue();
    }
}
