package io.hawser.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.testkit.Damage;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.DirectoryInUseException;
import io.hawser.store.storage.FormatTooNewException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that share a state directory. No broker listens. */
@Invariant(InvariantName.HONEST_ANSWERS)
class StateDirectoryTest {
    private static final String ONE = "127.0.0.1:1";
    private static final String OTHER = "127.0.0.1:2";

    @TempDir
    Path state;

    private final List<HawserClient> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(HawserClient::close);
    }

    private HawserClient connect(String... brokers) throws IOException {
        HawserClient client = HawserClient.connect(
                ClientOptions.of(brokers[0]).withBrokers(List.of(brokers)).withState(state));
        open.add(client);
        return client;
    }

    private static void send(HawserClient client) throws IOException {
        client.send("site-b", "f", new byte[] {1}).spooled().join();
    }

    @Test
    void eachClientHasASlotAndAnIdentityOfItsOwn() throws IOException {
        HawserClient first = connect(ONE);
        HawserClient second = connect(ONE);

        assertThat(first.slot()).isEqualTo(state);
        assertThat(second.slot()).isEqualTo(state.resolve("slots/1"));
        assertThat(state.resolve("node.id"))
                .content()
                .isNotEqualTo(Files.readString(second.slot().resolve("node.id")));
    }

    @Test
    void aClientThatIsAloneKeepsItsSlotAndFindsWhatItHadAccepted() throws IOException {
        HawserClient first = connect(ONE);
        send(first);
        first.close();

        HawserClient again = connect(ONE);
        assertThat(again.slot()).isEqualTo(first.slot());
        assertThat(again.pending()).hasSize(1);
    }

    @Test
    void whatWasMeantForOneBrokerIsNotOfferedToAnother() throws IOException {
        HawserClient first = connect(ONE);
        send(first);
        first.close();

        HawserClient elsewhere = connect(OTHER);
        assertThat(elsewhere.pending()).isEmpty();
        elsewhere.close();
        assertThat(connect(ONE).pending()).hasSize(1);
        assertThat(state.resolve("destination")).content().startsWith("brokers 1\n127.0.0.1:1\ncrc32c ");
    }

    /** It has moved, or is one of several over one store. */
    @Test
    void aBrokerWithAnAddressMoreIsTheSame() throws IOException {
        HawserClient first = connect(ONE);
        send(first);
        first.close();

        HawserClient moved = connect(OTHER, ONE);
        assertThat(moved.pending()).hasSize(1);
        moved.close();
        assertThat(connect(OTHER).pending()).hasSize(1);
    }

    @Test
    void aSlotIsSettledWhenNothingHasStillToGetToTheBroker() throws IOException {
        StateDirectory directory = StateDirectory.at(state);
        connect(ONE).close();
        assertThat(directory.slots()).singleElement().matches(StateSlot::isSettled);

        HawserClient again = connect(ONE);
        assertThat(directory.slots()).singleElement().matches(slot -> !slot.isSettled() && inUse(directory, slot));
        send(again);
        again.close();
        assertThat(directory.slots()).singleElement().matches(slot -> !slot.isSettled() && !inUse(directory, slot));
    }

    private static boolean inUse(StateDirectory directory, StateSlot slot) {
        try {
            return directory.isInUse(slot);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void slotsAreBoundedAndSettledOnesOfOtherBrokersAreTakenOver() throws IOException {
        Files.createDirectories(state.resolve("slots"));
        for (int slot = 0; slot < StateDirectory.MAX_SLOTS; slot++) {
            Path directory = slot == 0 ? state : state.resolve("slots/" + slot);
            Files.createDirectories(directory);
            Files.createFile(directory.resolve("lock"));
            Files.writeString(directory.resolve("destination"), "brokers 1\n127.0.0.1:1\n");
        }
        assertThatThrownBy(() -> connect(OTHER))
                .isInstanceOf(DirectoryInUseException.class)
                .hasMessageContaining("32 slots");

        Files.createFile(state.resolve("slots/7/settled"));
        Files.createDirectories(state.resolve("slots/7/sends"));
        Files.createFile(state.resolve("slots/7/sends/what-the-other-broker-has"));
        assertThat(connect(OTHER).slot()).isEqualTo(state.resolve("slots/7"));
        assertThat(state.resolve("slots/7/destination")).content().contains("127.0.0.1:2");
        assertThat(state.resolve("slots/7/sends")).isEmptyDirectory();
    }

    /** A digit more or less is an address, too. */
    @Test
    void aFlippedBitInTheAddressIsRefused() throws IOException {
        connect(ONE).close();
        Path file = state.resolve("destination");
        Damage.flip(file, Files.readString(file).indexOf(":1\n") + 1);

        assertThatThrownBy(() -> connect(ONE))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void whatHasStillToBeSentIsNotOfferedToTheNextBrokerWithoutADestination() throws IOException {
        HawserClient first = connect(ONE);
        send(first);
        first.close();
        Path file = state.resolve("destination");
        Files.delete(file);

        assertThatThrownBy(() -> connect(OTHER))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining(file.toString());

        Files.writeString(file, "brokers 1\n127.0.0.1:1\n");
        assertThat(connect(ONE).slot()).isEqualTo(state);
    }

    @Test
    void aDestinationThatCannotBeReadIsRefusedInWords() throws IOException {
        Path file = state.resolve("destination");
        for (String damaged : List.of(
                "",
                "brokers 1\n",
                "brokers 1\nx\n",
                "127.0.0.1:1\n",
                "\u0000\u0000",
                "brokers 1\n127.0.0.1:1", // the beginning of 127.0.0.1:13400, for example
                "brokers 1\n127.0.0.1:1\n127",
                "brokers 1\n127.0.0.1:1\ncrc32c 00000000\n")) {
            Files.writeString(file, damaged);
            assertThatThrownBy(() -> connect(ONE))
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("HOST:PORT");
        }
        Files.writeString(file, "brokers 2\n127.0.0.1:1\n");
        assertThatThrownBy(() -> connect(ONE)).isInstanceOf(FormatTooNewException.class);
    }
}
