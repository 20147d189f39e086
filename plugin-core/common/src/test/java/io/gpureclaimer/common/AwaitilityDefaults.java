package io.gpureclaimer.common;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Awaitility settings for test classes that run in parallel; registered for every class. By default
 * an {@code await()} fails on an exception that no thread of the JVM catches, also when the thread
 * belongs to another test class.
 */
public final class AwaitilityDefaults implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
  }
}
