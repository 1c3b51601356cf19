package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolFixture.FRAGMENT;
import static io.hawser.store.spool.SpoolFixture.bytes;
import static io.hawser.store.spool.SpoolFixture.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that an account uploads once more to the same path. */
class SpoolRepeatTest extends OnOneSpool {
    private static final String SITE = "site-b";

    private final byte[] file = bytes(3 * FRAGMENT + 17, 1);

    private TransferKey accept(Upload upload, byte[] content) {
        it.write(upload, content, 0);
        it.finish(upload, content.length).get();
        return upload.key();
    }

    private void receipt(TransferKey key, ReceiptStatus status) {
        Receipt receipt = new Receipt(key, SITE, status, status.isGood() ? "" : "no such file", 5);
        it.run(() -> it.spool.receipt(receipt, () -> {}));
    }

    private void brokered(TransferKey key) {
        it.run(() -> it.spool.committed(key, List.of(SITE)));
        it.awaitPhase(key, SpoolPhase.BROKERED);
    }

    private void delivered(TransferKey key) {
        brokered(key);
        receipt(key, ReceiptStatus.DELIVERED);
        it.awaitPhase(key, SpoolPhase.FINISHED);
    }

    /** The first upload, which is on its way to its destination. */
    private TransferKey uploaded() {
        return accept(it.begin(request("f", "ann")), file);
    }

    /** An upload that is compared with {@code file}: its digests are read in the background. */
    private Upload again() {
        for (long before = lastNumber(); ; before = lastNumber()) {
            Upload upload = it.begin(request("f", "ann"));
            if (upload.manifest().number() == before + 2) {
                return upload;
            }
            it.run(() -> upload.cancel("too early"));
        }
    }

    private long lastNumber() {
        Upload upload = it.begin(request("other"));
        it.run(() -> upload.cancel("only its number is wanted"));
        return upload.manifest().number();
    }

    private Manifest confirmation() {
        return await().until(
                        () -> it.onLoop(() -> it.listener.transfers.values().stream()
                                .map(announced -> announced.manifest)
                                .filter(manifest -> manifest.kind() == TransferKind.PATCH)
                                .findFirst()),
                        Optional::isPresent)
                .orElseThrow();
    }

    private boolean isHeldBack(TransferKey key) {
        return it.onLoop(() -> {
            RecordingListener.Announced announced = it.listener.of(key);
            return announced.available.isEmpty() && announced.commit == null;
        });
    }

    private void awaitSent(TransferKey key) {
        await().until(() -> it.onLoop(() -> it.listener.of(key).commit != null));
        assertThat(it.content(key)).isEqualTo(file);
        assertThat(it.onLoop(() -> it.listener.of(key).available.count())).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Invariant({InvariantName.EXACTLY_ONCE_DELIVERY, InvariantName.ORDER_BY_PATH})
    void sameFileIsConfirmedAndNotSent(boolean firstIsDelivered) {
        TransferKey first = uploaded();
        Upload upload = again();
        if (firstIsDelivered) {
            delivered(first);
        }
        TransferKey second = accept(upload, file);

        assertThat(isHeldBack(second)).isTrue();
        Manifest confirmation = confirmation();
        Commit commit = it.state(second).commit();
        assertThat(confirmation.number()).isEqualTo(it.state(second).manifest().number() - 1);
        assertThat(confirmation.name()).isEqualTo("f");
        assertThat(confirmation.attributes())
                .containsEntry(Attributes.BASE_DIGEST, String.valueOf(commit == null ? null : commit.digest()));
        brokered(confirmation.key());
        assertThat(it.state(second).phase()).isEqualTo(SpoolPhase.SPOOLED);
        receipt(confirmation.key(), ReceiptStatus.DELIVERED);

        it.awaitPhase(second, SpoolPhase.FINISHED);
        assertThat(it.state(second).receipts())
                .containsExactly(new Receipt(second, SITE, ReceiptStatus.DELIVERED, "", 5));
        assertThat(it.listener.events).contains("withdrawn f");
        Upload third = again();
        assertThat(isHeldBack(accept(third, file))).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = ReceiptStatus.class,
            names = {"FAILED", "EXPIRED", "DEAD"})
    @Invariant(InvariantName.HONEST_ANSWERS)
    void fileIsSentWhereTheFarEndHasAnother(ReceiptStatus status) {
        AtomicInteger failures = new AtomicInteger();
        it.run(() -> it.spool.onFailure((state, receipt) -> failures.incrementAndGet()));
        uploaded();
        TransferKey second = accept(again(), file);
        Manifest confirmation = confirmation();

        brokered(confirmation.key());
        receipt(confirmation.key(), status);

        awaitSent(second);
        delivered(second);
        assertThat(failures).hasValue(0);
    }

    @Test
    void fileIsSentIfItsConfirmationIsRefused() {
        uploaded();
        TransferKey second = accept(again(), file);

        TransferKey confirmation = confirmation().key();
        it.run(() -> it.spool.refused(confirmation, new Refusal(ErrorCode.NOT_ALLOWED, "no patches here")));

        awaitSent(second);
    }

    @Test
    void fileIsSentIfNobodyIsThere() {
        uploaded();
        TransferKey second = accept(again(), file);

        TransferKey confirmation = confirmation().key();
        it.run(() -> it.spool.committed(confirmation, List.of()));

        awaitSent(second);
    }

    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void fileIsSentIfTheFarEndIsAwayForLong() {
        TransferKey first = uploaded();
        TransferKey second = accept(again(), file);
        brokered(confirmation().key());
        it.steady.addAndGet(TimeUnit.SECONDS.toMillis(31));
        it.run(() -> it.spool.tick(Long.MAX_VALUE));
        assertThat(isHeldBack(second))
                .as("the first upload is not delivered either")
                .isTrue();

        delivered(first);
        it.run(() -> it.spool.tick(Long.MAX_VALUE));

        awaitSent(second);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, FRAGMENT, 3 * FRAGMENT + 16})
    void changedFileIsSentWhole(int position) {
        uploaded();
        Upload upload = again();
        byte[] changed = file.clone();
        changed[position] ^= 1;

        TransferKey second = accept(upload, changed);

        await().until(() -> it.onLoop(() -> it.listener.of(second).commit != null));
        assertThat(it.content(second)).isEqualTo(changed);
        assertThat(it.listener.transfers).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {FRAGMENT, 3 * FRAGMENT, 3 * FRAGMENT + 18})
    void fileOfAnotherLengthIsSentWhole(int length) {
        uploaded();

        TransferKey second = accept(again(), Arrays.copyOf(file, length));

        await().until(() -> it.onLoop(() -> it.listener.of(second).commit != null));
        assertThat(it.onLoop(() -> it.listener.of(second).available.count()))
                .isEqualTo((length + FRAGMENT - 1) / FRAGMENT);
    }

    @Test
    void fileIsSentAfterRestart() throws Exception {
        uploaded();
        TransferKey second = accept(again(), file);

        reopen();

        awaitSent(second);
    }

    @Test
    void otherAccountsAndChangedPathsAreNotCompared() {
        uploaded();
        Upload known = again();
        it.run(() -> known.cancel("it is known now what is compared"));
        long before = lastNumber();
        Upload bobs = it.begin(request("f", "bob"));
        assertThat(bobs.manifest().number()).isEqualTo(before + 1);

        before = lastNumber();
        Upload delegated = it.begin(request("f", "ann").withKeyed(key -> Map.of(Attributes.GRID_IDENTITY, "CN=Ann")));
        assertThat(delegated.manifest().number())
                .as("its credential is its own")
                .isEqualTo(before + 1);
        it.run(() -> delegated.cancel("its number is known"));
        accept(bobs, file);

        before = lastNumber();
        assertThat(it.begin(request("f", "ann")).manifest().number()).isEqualTo(before + 1);
    }
}
