package io.hawser.it.page;

import io.hawser.core.testkit.Program;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * Debian's Chromium without a window.
 *
 * <p>Thread: one.
 */
final class Browser implements AutoCloseable {
    /** A desktop's window. */
    static final Dimension WIDE = new Dimension(1360, 900);

    /** A phone's. */
    static final Dimension PHONE = new Dimension(390, 844);

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Starts it; skips the test where it is not installed. */
    static Browser start(Path profile) {
        if (!Program.isThere("chromium")) {
            Program.missing("chromium", "chromium");
        }
        if (!Program.isThere("chromedriver")) {
            Program.missing("chromedriver", "chromium-driver");
        }
        ChromeOptions options = new ChromeOptions();
        options.setBinary("/usr/bin/chromium");
        options.addArguments(
                "--headless=new",
                "--no-sandbox", // it refuses root otherwise; it opens only pages of this test
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--disable-extensions",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                "--no-proxy-server",
                "--hide-scrollbars",
                "--user-data-dir=" + profile);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, java.util.logging.Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File("/usr/bin/chromedriver"))
                .usingAnyFreePort()
                .build();
        Browser browser = new Browser(new ChromeDriver(service, options));
        browser.resize(WIDE);
        return browser;
    }

    void resize(Dimension size) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of(
                        "width",
                        size.getWidth(),
                        "height",
                        size.getHeight(),
                        "deviceScaleFactor",
                        size.equals(PHONE) ? 2 : 1,
                        "mobile",
                        size.equals(PHONE)));
    }

    /** Prefers {@code light} or {@code dark}. */
    void prefer(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    void open(String address) {
        driver.get(address);
    }

    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    Object runAsync(String script, Object... arguments) {
        driver.manage().timeouts().scriptTimeout(Duration.ofSeconds(TestTimes.SECONDS));
        return driver.executeAsyncScript(script, arguments);
    }

    /** The text of the first element that is shown, or an empty one. */
    String text(String css) {
        try {
            return driver.findElements(By.cssSelector(css)).stream()
                    .filter(Browser::isShown)
                    .findFirst()
                    .map(WebElement::getText)
                    .orElse("");
        } catch (StaleElementReferenceException e) {
            return ""; // it was replaced meanwhile
        }
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    /** Waits for an element that is shown. */
    WebElement await(String css) {
        return waiting(css)
                .until(now ->
                        all(css).stream().filter(Browser::isShown).findFirst().orElse(null));
    }

    void awaitText(String css, String part) {
        waiting(css + " with " + part).until(now -> text(css).contains(part));
    }

    void awaitGone(String css) {
        waiting("no " + css).until(now -> all(css).stream().noneMatch(Browser::isShown));
    }

    private static boolean isShown(WebElement element) {
        try {
            return element.isDisplayed();
        } catch (StaleElementReferenceException e) {
            return false;
        }
    }

    private WebDriverWait waiting(String what) {
        WebDriverWait wait = new WebDriverWait(driver, Duration.ofSeconds(TestTimes.SECONDS), Duration.ofMillis(50));
        wait.withMessage(() -> what + " is not there; the page says: " + text("body") + "; its log: " + problems());
        return wait;
    }

    /** What the browser complained about: errors of scripts, of the security policy, of requests. */
    List<String> problems() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(entry -> entry.getLevel() + " " + entry.getMessage())
                .toList();
    }

    /** A picture of what is in the window. */
    void picture(Path file) throws IOException {
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
