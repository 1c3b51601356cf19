package io.hawser.it.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;

/**
 * Makes the pictures of the page in the documents. Started by {@code integration-tests/lab screenshots [DIR]}.
 *
 * <p>Thread: main.
 */
public final class ScreenshotsMain {
    private static final Dimension TALL = new Dimension(1360, 1290);
    private static final int CHART_MILLIS = 110_000;

    private ScreenshotsMain() {}

    public static void main(String[] arguments) throws Exception {
        Path into = Path.of(arguments.length > 0 ? arguments[0] : "docs/images");
        Files.createDirectories(into);
        Path work = Files.createTempDirectory("hawser-pictures");
        ShownBroker broker = new ShownBroker();
        try (ShownNode node = broker.start(work);
                Browser browser = Browser.start(work.resolve("profile"))) {
            browser.resize(TALL);
            browser.prefer("light");
            browser.open(node.address());
            browser.awaitText("section[aria-label='Moving now']", "event-2001.root");
            browser.await("#unlock").click();
            browser.await("dialog input").sendKeys(ShownNode.TOKEN, Keys.ENTER);
            browser.awaitText("#unlock", "Lock actions");
            Thread.sleep(CHART_MILLIS); // the chart has something to show
            picture(browser, into.resolve("overview-light.png"));
            browser.prefer("dark");
            picture(browser, into.resolve("overview-dark.png"));
            browser.prefer("light");
            browser.resize(Browser.WIDE);
            browser.run("location.hash = '#/transfer/" + broker.movingKey() + "'");
            browser.awaitText(".timeline", "to site-b");
            browser.awaitText("main", "The link is the limit");
            picture(browser, into.resolve("transfer-light.png"));
            browser.run("location.hash = '#/history'");
            browser.awaitText("tbody", "calib-3.root");
            picture(browser, into.resolve("history-light.png"));
            browser.run("location.hash = '#/'");
            browser.resize(Browser.PHONE);
            browser.awaitText("main", "Moving now");
            picture(browser, into.resolve("overview-phone.png"));
        }
    }

    private static void picture(Browser browser, Path file) throws IOException, InterruptedException {
        browser.run("document.activeElement.blur()");
        Thread.sleep(2_500); // bars and colours have moved to their places
        browser.picture(file);
        System.out.println(file);
    }
}
