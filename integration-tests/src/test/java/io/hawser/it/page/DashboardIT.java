package io.hawser.it.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.model.TransferKey;
import io.hawser.it.harness.Curl;
import io.hawser.it.harness.Figure;
import io.hawser.ops.observe.ForecastPage;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.observe.WarningCode;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import io.hawser.release.process.SampleFile;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The page at {@code /} in a real browser. */
class DashboardIT {
    private static final Duration LIMIT = Duration.ofSeconds(TestTimes.SECONDS);
    private static final int SIZE_BYTES = 8 << 20;
    private static final int FIRST_VIEW_BYTES = 300 << 10;
    private static final int MANY = 10_000;
    private static final int SEEN_ROWS = 60;

    @TempDir
    Path directory;

    private static @Nullable Browser started;

    private Browser browser;

    /** To start it takes longer than most of what is done with it. */
    @BeforeAll
    static void start(@TempDir Path profile) {
        started = Browser.start(profile);
    }

    @BeforeEach
    void open() {
        browser = Objects.requireNonNull(started);
        browser.anew();
    }

    @AfterAll
    static void close() {
        if (started != null) {
            started.close();
        }
    }

    /** A site that cannot be reached is no fault of the page; all else in the log is. */
    private void assertThatNothingWentWrong() {
        assertThat(browser.problems()).noneMatch(line -> line.startsWith("SEVERE") || line.contains("Security Policy"));
    }

    @Test
    void aRealTransferMovesOnEachNodesPage() throws Exception {
        Path file = directory.resolve("moving.bin");
        SampleFile.write(file, SIZE_BYTES, 1);
        try (ProcessChain chain = new ProcessChain(directory.resolve("chain")).startAll();
                Curl upload = Curl.uploadPart(chain.ftp(), file, "in/moving.bin", SIZE_BYTES / 2 + 1)) {
            browser.open(page(chain, Part.BROKER));
            browser.awaitText("#link", "live");
            browser.await(".row .name[title='in/moving.bin']");
            browser.awaitText(".row .bar-value", "4.00 MiB"); // of a size that nobody knows yet
            for (Part agent : List.of(Part.AGENT_A, Part.AGENT_B)) {
                browser.open(page(chain, agent));
                browser.await(".row .name[title='in/moving.bin']");
            }

            upload.resume();
            assertThat(upload.await(LIMIT)).as(upload.complaints()).isZero();

            chain.awaitDelivered("in/moving.bin", LIMIT);
            browser.open(page(chain, Part.BROKER) + "#/transfers/done");
            browser.awaitText(".row[data-group=done] .state", "Delivered");
            browser.await(".row .name[title='in/moving.bin']").click();
            browser.awaitText("h1", "in/moving.bin");
            browser.awaitText(".timeline", "8 of 8 fragments");
            browser.awaitText(".timeline", "delivered");
            browser.open(page(chain, Part.AGENT_A) + "#/transfers/done");
            browser.await(".row .name[title='in/moving.bin']").click();
            browser.awaitText("section[aria-label=Receipts]", "delivered");
            assertThatNothingWentWrong();
        }
    }

    private static String page(ProcessChain chain, Part part) {
        return "http://" + chain.admin(part).orElseThrow() + "/";
    }

    @Test
    void aKilledNodeIsSaidAndFollowedWhenItIsBack() throws Exception {
        try (ProcessChain chain = new ProcessChain(directory.resolve("chain"))) {
            chain.start(Part.BROKER);
            browser.open(page(chain, Part.BROKER));
            browser.awaitText("#link", "live");

            browser.awaitText("#locked", "start this node with --admin-token-file FILE");

            chain.kill(Part.BROKER);
            browser.awaitText(".banner", "The node does not answer");
            browser.awaitText("#link", "reconnecting");

            chain.start(Part.BROKER);
            browser.awaitText("#link", "live");
            browser.awaitGone(".banner");
        }
    }

    @Test
    void theFirstViewAnswersWhatAnOperatorAsks() throws Exception {
        try (ShownNode node = new ShownBroker().start(directory)) {
            browser.open(node.address());
            browser.awaitText("section[aria-label='Moving now']", "event-2001.root");
            browser.awaitText("section[aria-label='Stuck, and why']", "Its consumer is not connected");
            browser.awaitText("section[aria-label='Stuck, and why']", "Start its agent-b");
            browser.awaitText("section[aria-label='Failed today']", "A directory stands at");
            browser.awaitText("section[aria-label='Needs attention']", "2 accepted transfers have made no progress");
            browser.awaitText(
                    "section[aria-label='Needs attention']",
                    "store full in 3 h at 16.4 MiB/s, because site-c is away; holds 31 GiB");
            browser.awaitText("section[aria-label=Subscriptions]", "away 41 min");
            browser.awaitText("section[aria-label=Connected]", "CN=agent-a.lab.example");
            browser.await(".chart canvas");
            browser.awaitText(".tiles", "MiB/s in");
            assertThat(browser.text("nav")).contains("Overview", "Transfers", "Subscriptions", "History", "Node");

            browser.open(node.address() + "#/history?failed=true");
            browser.awaitText("tbody", "calib-17.root");
            assertThat(browser.text("tbody")).doesNotContain("event-");
            browser.open(node.address() + "#/subscriptions");
            browser.awaitText("tbody", "archive");
            browser.open(node.address() + "#/node");
            browser.awaitText(".pairs", "212 GiB");
            assertThatNothingWentWrong();
        }
    }

    @Test
    void aPartOfANameFindsItBelowDirectories() throws Exception {
        try (ShownNode node = new ShownBroker().start(directory)) {
            browser.open(node.address() + "#/history");
            browser.awaitText("main p[role=status]", "40 shown");
            browser.await("#history-name").sendKeys("calib-1", Keys.ENTER);
            browser.awaitText("main p[role=status]", "1 shown");
            browser.awaitText("tbody", "runs/2026/calib-17.root");

            searchAgain("runs/*-17.root");
            browser.awaitText("main p[role=status]", "Nothing was found");
            searchAgain("runs/**-17.root");
            browser.awaitText("tbody", "runs/2026/calib-17.root");
            assertThatNothingWentWrong();
        }
    }

    private void searchAgain(String text) {
        browser.await("#history-name").sendKeys(Keys.chord(Keys.CONTROL, "a"), text, Keys.ENTER);
    }

    /** Somebody cancelled it on purpose. */
    @Test
    void whatWasCancelledIsNoFailureOnThePage() throws Exception {
        try (ShownNode node = new ShownBroker().start(directory)) {
            browser.open(node.address());
            browser.awaitText(".tile[data-tone=bad] .tile-value", "3");
            browser.awaitText("section[aria-label='Failed today']", "calib-17.root");
            assertThat(browser.text("section[aria-label='Failed today']")).doesNotContain("event-1989.root");
            browser.awaitText(".tiles", "begun today, of the newest 10,000");

            browser.open(node.address() + "#/history");
            browser.awaitText("tbody", "event-1989.root");
            browser.await("#history-failed").click();
            browser.await("button.main").click();
            browser.awaitText("main p[role=status]", "3 shown");
            assertThat(browser.text("tbody")).doesNotContain("event-1989.root");
        }
    }

    @Test
    void retryIsOfferedOnlyForWhatANodeTakesAgain() throws Exception {
        String said = "It has ended and cannot be retried: send it again.";
        try (ShownNode node = new ShownBroker().start(directory)) {
            browser.open(node.address());
            unlock(ShownNode.TOKEN);
            browser.await("section[aria-label='Failed today'] button[aria-label='Retry runs/2026/calib-3.root']");
            browser.awaitText("section[aria-label='Failed today']", said);
            assertThat(browser.all("button[aria-label='Retry runs/2026/calib-17.root']"))
                    .isEmpty();

            browser.open(node.address() + "#/transfers/failed");
            browser.await("button[aria-label='Retry reports/quarter.pdf']");
            browser.awaitText(".row:has([title='runs/2026/calib-17.root'])", said);
            assertThat(browser.all("button[aria-label^='Retry runs/2026/calib-17']"))
                    .isEmpty();
            browser.await(".row .name[title='runs/2026/calib-17.root']").click();
            browser.awaitText(".view-head", said);
            browser.awaitText("section[aria-label=Receipts]", "dropped by the operator");
            assertThat(browser.all(".view-head button")).isEmpty();

            browser.open(node.address() + "#/transfers/failed");
            browser.await("input[aria-label='Choose runs/2026/calib-17.root']").click();
            browser.await("button[aria-label='Retry the chosen transfers']").click();
            browser.awaitText("dialog", "It has ended: failed, and its far end takes it no more under this id");
            assertThat(node.changes()).isEmpty();
            assertThatNothingWentWrong();
        }
    }

    @Test
    void aTransfersOwnViewHasItsTimelineAndReasons() throws Exception {
        ShownBroker broker = new ShownBroker();
        try (ShownNode node = broker.start(directory)) {
            browser.open(node.address() + "#/transfer/" + broker.movingKey());

            browser.awaitText("h1", "event-2001.root");
            browser.awaitText(".timeline", "of 16,384 fragments");
            browser.awaitText(".timeline", "to site-b");
            browser.awaitText("section[aria-label='What it waits for']", "The link is the limit");
            assertThatNothingWentWrong();
        }
    }

    /** A part of the page whose address the node does not have is left out. */
    @Test
    void whatANodeDoesNotHaveIsNotShown() throws Exception {
        try (ShownNode node = ShownNode.start(
                directory, (text, limit) -> List.of(), Health.of(true, "agent-a", Map.of()), Map.of(), List.of())) {
            browser.open(node.address());
            browser.awaitText("main", "Nothing is on its way");
            browser.awaitText("section[aria-label='Needs attention']", "All is well");

            assertThat(browser.text("nav")).doesNotContain("Subscriptions", "History");
            assertThat(browser.text("main")).doesNotContain("Connected", "Owed");
            assertThatNothingWentWrong();
        }
    }

    @Test
    void actionsAreOfferedWithTheTokenOnlyAndCarriedOut() throws Exception {
        ShownBroker broker = new ShownBroker();
        try (ShownNode node = broker.start(directory)) {
            browser.open(node.address() + "#/transfer/" + broker.movingKey());
            browser.awaitText(".timeline", "to site-b");
            assertThat(browser.all(".view-head button")).isEmpty();
            assertThat(browser.text("#locked")).isEmpty();

            unlock("wrong-wrong-wrong-wrong");
            browser.awaitText(".toast.problem", "The node does not accept this token");
            browser.awaitText("#unlock", "Unlock actions");
            assertThat(browser.all(".view-head button")).isEmpty();
            unlock(ShownNode.TOKEN);
            browser.awaitText("#unlock", "Lock actions");
            browser.await(".view-head button[aria-label^='Cancel ']").click();
            browser.await("dialog button.main").click();

            browser.awaitText(".toast:not(.problem)", "runs/2026/event-2001.root is now cancelled");
            assertThat(node.changes()).containsExactly("/transfers/cancel " + broker.movingKey());
            browser.open(node.address() + "#/");
            browser.await("section[aria-label='Failed today'] button[aria-label^='Retry ']");
            browser.await("#unlock").click();
            browser.awaitText("#unlock", "Unlock actions");
            browser.awaitGone("section[aria-label='Failed today'] button");
        }
    }

    /** What was asked before the token was typed is answered after it. */
    @Test
    void aLateAnswerWithoutTheTokenForgetsNoToken() throws Exception {
        CompletableFuture<ForecastPage> late = new CompletableFuture<>();
        try (ShownNode node = ShownNode.start(
                directory,
                (text, limit) -> List.of(),
                Health.of(true, "broker", Map.of()),
                Map.of("/forecasts", query -> late.join()),
                List.of())) {
            browser.open(node.address());
            browser.await("#unlock");
            browser.run("""
                    const ask = window.fetch;
                    window.fetch = async (path, options) => {
                      if (options.headers.Authorization) await new Promise((later) => setTimeout(later, 1000));
                      return ask(path, options);
                    };
                    """);
            unlock(ShownNode.TOKEN);
            late.complete(new ForecastPage("broker", List.of()));

            browser.awaitText("#unlock", "Lock actions");
            assertThat(browser.all(".toast")).isEmpty();
        }
    }

    /** Nothing is done before the user has read what would be. */
    @Test
    void manyAreCancelledAfterADryRun() throws Exception {
        ShownBroker broker = new ShownBroker();
        try (ShownNode node = broker.start(directory)) {
            browser.open(node.address() + "#/transfers");
            browser.await(".row .name");
            assertThat(browser.all(".row input")).allMatch(each -> !each.isDisplayed());
            unlock(ShownNode.TOKEN);
            browser.await("input[aria-label='Choose runs/2026/event-2001.root']")
                    .sendKeys(Keys.SPACE);
            browser.await("input[aria-label='Choose runs/2026/event-2002.root']")
                    .click();
            browser.await("input[aria-label='Choose runs/2026/event-1998.root']")
                    .click();
            browser.awaitText(".chosen", "3 chosen");

            browser.await("button[aria-label='Cancel the chosen transfers']").click();
            browser.awaitText("section[aria-label='2 will be cancelled']", "event-2002.root");
            browser.awaitText("section[aria-label='1 left out']", "It has ended: delivered");
            browser.awaitText("dialog p[role=status]", "Nothing is changed yet");
            assertThat(node.changes()).isEmpty();
            browser.await("dialog button.main").click();

            browser.awaitText("section[aria-label='2 now cancelled']", "runs/2026/event-2001.root");
            assertThat(node.changes())
                    .hasSize(2)
                    .allMatch(each -> each.startsWith("/transfers/cancel "))
                    .contains("/transfers/cancel " + broker.movingKey());
            browser.await("dialog button").click();
            browser.awaitGone("dialog");
            browser.awaitGone(".bulk");
            assertThatNothingWentWrong();
        }
    }

    @Test
    void allThatFitAreChosenInTheListOrByTheNode() throws Exception {
        try (ShownNode node = new ShownBroker().start(directory)) {
            browser.open(node.address() + "#/transfers/stuck");
            browser.await(".row .name");
            unlock(ShownNode.TOKEN);
            browser.await("#choose-all").click();
            browser.awaitText(".chosen", "2 chosen");
            browser.await("button[aria-label='Priority the chosen transfers']").click();
            browser.await("dialog #action-value").sendKeys(Keys.chord(Keys.CONTROL, "a"), "9");
            browser.awaitText("dialog button.main", "Priority 2 transfers");
            browser.await("dialog #action-value").sendKeys(Keys.ENTER);
            browser.awaitText("dialog p[role=status]", "Done for 2 of 2");
            assertThat(node.changes()).hasSize(2).allMatch(each -> each.startsWith("/transfers/priority "));
            browser.await("dialog button").click();

            browser.await(".choose button").click();
            browser.await("#filter-topic").sendKeys("site-c");
            browser.all("dialog button").stream()
                    .filter(each -> each.getText().equals("Hold…"))
                    .findFirst()
                    .orElseThrow()
                    .click();
            browser.awaitText("dialog .subject", "topic site-c");
            browser.awaitText("dialog button.main", "Hold 2 transfers");
            browser.await("dialog button.main").click();
            browser.awaitText("dialog p[role=status]", "Done for 2 of 2");
            assertThat(node.changes())
                    .filteredOn(each -> each.startsWith("/transfers/hold "))
                    .hasSize(2);
            assertThatNothingWentWrong();
        }
    }

    /** What this node cannot do it says with the command that does it. */
    @Test
    void theCommandOfADeadLettersRetryIsCopied() throws Exception {
        ShownBroker broker = new ShownBroker();
        try (ShownNode node = broker.start(directory)) {
            browser.open(node.address() + "#/transfers/failed");
            browser.await(".row .name");
            unlock(ShownNode.TOKEN);
            browser.await("button[aria-label='Retry reports/quarter.pdf']").click();
            browser.await("dialog button.main").click();

            browser.awaitText("dialog", "It is on the dead-letter list of site-b");
            String command = browser.text("dialog code");
            assertThat(command).matches("hawser retry [0-9a-z-]+ --admin 127\\.0\\.0\\.1:7482");
            browser.await("dialog .command-box button").click();
            browser.awaitText("dialog .command-box [role=status]", "op"); // copied, or why not
            assertThat(node.changes()).isEmpty();
            assertThatNothingWentWrong();
        }
    }

    /** What a newcomer does: see what is stuck and why, and cancel it. */
    @Test
    void aRealTransferThatIsStuckIsCancelledFromThePage() throws Exception {
        Path file = directory.resolve("stuck.bin");
        SampleFile.write(file, SIZE_BYTES, 2);
        Path token = ShownNode.tokenFile(directory);
        try (ProcessChain chain = new ProcessChain(directory.resolve("chain"))
                .with(Part.BROKER, "--admin-token-file", token.toString())
                .startAll()) {
            chain.kill(Part.AGENT_B);
            try (Curl upload = Curl.upload(chain.ftp(), file, "stuck.bin")) {
                assertThat(upload.await(LIMIT)).as(upload.complaints()).isZero();
            }
            browser.open(page(chain, Part.BROKER));
            browser.awaitText("section[aria-label='Stuck, and why']", "stuck.bin");
            browser.awaitText("section[aria-label='Stuck, and why']", "Its consumer is not connected");
            browser.awaitText("section[aria-label='Stuck, and why']", "Start its agent-b");
            unlock(ShownNode.TOKEN);

            browser.await("button[aria-label='Cancel stuck.bin']").click();
            browser.await("dialog button.main").click();

            browser.awaitText(".toast:not(.problem)", "stuck.bin is now");
            await().atMost(LIMIT).until(() -> chain.status(Part.BROKER, "stuck.bin")
                    .filter(each -> each.state().startsWith("cancel"))
                    .isPresent());
            assertThatNothingWentWrong();
        }
    }

    private void unlock(String token) {
        browser.await("#unlock").click();
        browser.await("dialog input").sendKeys(token, Keys.ENTER);
        browser.awaitGone("dialog");
    }

    @Test
    void namesAreNeverMarkup() throws Exception {
        List<String> names = List.of(
                "<img src=x onerror=document.title='hit'>",
                "\"><script>document.title='hit'</script>",
                "' autofocus onfocus=document.title='hit' x='",
                "<svg/onload=document.title='hit'>",
                "line\nevent: rows\ndata: [{\"key\":\"forged\"}]\n\n",
                "{{constructor.constructor('document.title=1')()}}",
                "\u202Egnp.exe");
        long now = System.currentTimeMillis();
        List<TransferStatus> transfers = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String key = ShownTransfers.key(now - 1000L * i, i);
            transfers.add(ShownTransfers.stuck(key, "t", names.get(i), 1 << 20, names.get(i), 60_000));
        }
        try (ShownNode node = ShownNode.start(
                directory,
                (text, limit) -> transfers.stream()
                        .filter(each -> each.key().contains(text))
                        .toList(),
                Health.of(true, "broker", Map.of("<b>name</b>", names.get(0)))
                        .with(List.of(WarningCode.STORE.about("<i>subject</i>", names.get(1)))),
                Map.of("/subscriptions", query -> List.of(ShownNode.subscription("t", names.get(0), 1000, 1, 1))),
                List.of())) {
            for (String view : List.of(
                    "#/", "#/transfers", "#/transfer/" + transfers.get(0).key(), "#/node", "#/subscriptions")) {
                browser.open(node.address() + view);
                browser.awaitText("main", "<img src=x onerror");
                assertThat(browser.all(
                                "main img, main script, main svg, main b, main i:not(.bar i), [onfocus], [onerror]"))
                        .isEmpty();
                assertThat(browser.run("return document.title")).asString().doesNotContain("hit");
            }
            browser.open(node.address() + "#/transfers");
            browser.awaitText("main", "gnp.exe");
            assertThat(browser.all(".row")).hasSize(names.size());
            assertThatNothingWentWrong();
        }
    }

    /** All of them change each second; what counts is that the browser draws, and that only rows in sight have elements. */
    @Test
    void tenThousandTransfersStaySmooth() throws Exception {
        long began = System.currentTimeMillis();
        List<String> keys = IntStream.range(0, MANY)
                .mapToObj(i -> ShownTransfers.key(began - i, i))
                .toList();
        try (ShownNode node = ShownNode.start(
                directory,
                (text, limit) -> {
                    long durable = (System.currentTimeMillis() - began) * 100;
                    return IntStream.range(0, Math.min(limit, MANY))
                            .mapToObj(i -> ShownTransfers.moving(
                                    keys.get(i), "t", "file-" + i, 1L << 30, durable, durable / 2))
                            .toList();
                },
                Health.of(true, "broker", Map.of()),
                Map.of(),
                List.of())) {
            browser.open(node.address() + "#/transfers");
            browser.awaitText(".filters", "10,000");

            long medianMillis = (long) browser.runAsync("""
                    const done = arguments[0];
                    const gaps = [];
                    let last = performance.now();
                    const end = last + 4000;
                    (function frame(now) {
                      gaps.push(now - last);
                      last = now;
                      scrollBy(0, 400);
                      if (now < end) requestAnimationFrame(frame);
                      else done(Math.round(gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)]));
                    })(last);
                    """);

            Figure.most("milliseconds from frame to frame with 10,000 transfers on the page", medianMillis);
            assertThat(medianMillis)
                    .as("median of the milliseconds between frames")
                    .isLessThan(60);
            assertThat(browser.all(".row").size()).isBetween(5, SEEN_ROWS);
            browser.run("scrollTo(0, document.body.scrollHeight)");
            browser.awaitText(".rows", "file-9999");
            browser.run("scrollTo(0, 0)");
            WebElement search = browser.await("#search");
            search.sendKeys("file-7777");
            browser.awaitText(".hint", "1 found");
            browser.awaitText(".rows", "file-7777");
            assertThatNothingWentWrong();
        }
    }

    @Test
    void theFirstViewLoadsLittle() throws Exception {
        try (ShownNode node = new ShownBroker().start(directory)) {
            browser.open(node.address());
            browser.awaitText("section[aria-label='Moving now']", "event-2001.root");
            Figure.most("milliseconds until the page's largest part is painted", (long) browser.runAsync("""
                    const done = arguments[arguments.length - 1];
                    new PerformanceObserver((list) => done(Math.round(list.getEntries().at(-1).startTime)))
                      .observe({ type: 'largest-contentful-paint', buffered: true });"""));

            long bytes = (long) browser.run("""
                    return performance.getEntriesByType('resource').filter((each) => each.name.includes('/ui/'))
                      .concat(performance.getEntriesByType('navigation')).reduce((sum, each) => sum + each.transferSize, 0)""");

            Figure.most("bytes of the first view of the page", bytes);
            assertThat(bytes).isBetween(10_000L, (long) FIRST_VIEW_BYTES);
            Object outside = browser.run("""
                    return performance.getEntriesByType('resource').filter((each) => !each.name.startsWith(location.origin)).map((each) => each.name)""");
            assertThat((List<?>) outside).isEmpty();
        }
    }

    @Test
    void theKeyboardReachesEveryRow() throws Exception {
        try (ShownNode node = new ShownBroker().start(directory)) {
            browser.open(node.address() + "#/transfers");
            browser.await(".row .name");
            browser.run("document.querySelector('.row a').focus()");
            for (int i = 0; i < 40; i++) {
                String before = focused();
                browser.run(
                        "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true}))");
                await().atMost(LIMIT).until(() -> !focused().equals(before));
            }
            assertThat(browser.run("return document.activeElement.closest('li').getAttribute('aria-posinset')"))
                    .isEqualTo("41");
            browser.open(node.address());
            browser.await(".tiles");
            browser.await("body").sendKeys(Keys.TAB);
            assertThat(browser.run("return document.activeElement.textContent")).isEqualTo("Skip to content");
        }
    }

    private String focused() {
        return String.valueOf(browser.run("return document.activeElement.getAttribute('href')"));
    }

    @ParameterizedTest
    @CsvSource({"light,false", "dark,false", "light,true", "dark,true"})
    void axeFindsNothingSerious(String scheme, boolean phone) throws Exception {
        ShownBroker broker = new ShownBroker();
        browser.resize(phone ? Browser.PHONE : Browser.WIDE);
        browser.prefer(scheme);
        try (ShownNode node = broker.start(directory)) {
            Map<String, String> views = Map.of(
                    "#/",
                    "Moving now",
                    "#/transfers",
                    "event-2001.root",
                    "#/transfer/" + broker.movingKey(),
                    "to site-b",
                    "#/subscriptions",
                    "archive",
                    "#/history",
                    "calib-3.root",
                    "#/node",
                    "212 GiB");
            browser.open(node.address());
            unlock(ShownNode.TOKEN);
            for (Map.Entry<String, String> view : views.entrySet()) {
                browser.open(node.address() + view.getKey());
                browser.awaitText("main", view.getValue());
                assertThat(seriousFaults()).as(view.getKey()).isEmpty();
                assertThat(
                                browser.run(
                                        "return Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)"))
                        .as("how much wider than the window %s is", view.getKey())
                        .isEqualTo(0L);
            }
            browser.open(node.address() + "#/transfers");
            browser.await("#choose-all").click();
            browser.await("button[aria-label='Cancel the chosen transfers']").click();
            browser.awaitText("dialog button.main", "Cancel");
            assertThat(seriousFaults()).as("the dry run").isEmpty();
            browser.await("dialog button").click();
            browser.awaitGone("dialog");
            assertThat(seriousFaults()).as("what is chosen").isEmpty();
            browser.await(".choose button").click();
            browser.await("#filter-topic");
            assertThat(seriousFaults()).as("the filter").isEmpty();
            browser.await("dialog .buttons:last-child button").click();
            browser.await("#unlock").click();
            browser.await("#unlock").click();
            browser.await("dialog");
            assertThat(seriousFaults()).as("the dialog").isEmpty();
        }
    }

    private List<?> seriousFaults() throws Exception {
        browser.run(axe());
        return (List<?>) browser.runAsync("""
                const done = arguments[0];
                axe.run().then(
                  (found) => done(found.violations.filter((each) => each.impact === 'serious' || each.impact === 'critical')
                    .map((each) => each.id + ': ' + each.nodes.map((node) => node.html + ' ' + node.failureSummary).join(' | '))),
                  (problem) => done(['axe failed: ' + problem]));
                """);
    }

    private static String axe() throws Exception {
        try (InputStream in = DashboardIT.class.getResourceAsStream("/axe.min.js")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void keysOfShownTransfersAreReal() {
        assertThat(TransferKey.parse(ShownTransfers.key(1_000, 7)).id().epochMillis())
                .isEqualTo(1_000);
    }
}
