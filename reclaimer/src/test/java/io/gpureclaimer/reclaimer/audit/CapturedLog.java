package io.gpureclaimer.reclaimer.audit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What one logger says while this is open. */
public final class CapturedLog implements AutoCloseable {
  private final Logger logger;
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  /** The log of transitions. */
  public CapturedLog() {
    this(TransitionLog.class);
  }

  /** The log of this class. */
  public CapturedLog(Class<?> speaker) {
    logger = (Logger) LoggerFactory.getLogger(speaker);
    lines.start();
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(lines);
  }

  /** Level and message of every line since the last time this was asked. */
  public List<String> take() {
    List<String> taken =
        lines.list.stream()
            .map(line -> line.getLevel() + " " + line.getFormattedMessage())
            .toList();
    lines.list.clear();
    return taken;
  }

  @Override
  public void close() {
    logger.detachAppender(lines);
    logger.setAdditive(true);
    logger.setLevel(null);
  }
}
