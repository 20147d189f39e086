package io.gpureclaimer.verification.gpupack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/**
 * Program that loads one GPU for some time, and prints when each stretch of load began and ended.
 */
public final class LoadProcess {
  static final String BEGIN = "begin ";
  static final String END = "end ";
  private static final long MEMORY_BYTES = 512L << 20;
  private static final int FIRST_ROUNDS = 1 << 12;
  private static final int MOST_ROUNDS = 1 << 28;
  private static final long KERNEL_NANOS = 20_000_000;
  private static final long SHORT_KERNEL_NANOS = 1_000_000;
  private static final long PAUSE_MILLIS = 10_000;

  private LoadProcess() {}

  /**
   * Runs it on the first GPU of {@code CUDA_VISIBLE_DEVICES}.
   *
   * @param args a {@link Load.Kind}, and milliseconds of load
   */
  public static void main(String[] args) throws InterruptedException {
    Load.Kind kind = Load.Kind.valueOf(args[0]);
    long nanos = Long.parseLong(args[1]) * 1_000_000;
    CudaDriver driver =
        CudaDriver.load()
            .orElseThrow(() -> new IllegalStateException(CudaDriver.LIBRARY + " not found"));
    Clock clock = Clock.systemUTC();
    try (Arena arena = Arena.ofConfined()) {
      String entry = kind == Load.Kind.FAULT ? "fault" : "spin";
      CudaDriver.Kernel kernel = driver.compile(ptx(), entry, MEMORY_BYTES, arena);
      switch (kind) {
        case STEADY -> {
          System.out.println(BEGIN + clock.instant());
          spin(kernel, nanos);
          System.out.println(END + clock.instant());
        }
        case SHORT -> spinShortly(kernel, nanos, clock);
        case FAULT -> {
          System.out.println(BEGIN + clock.instant());
          kernel.run(1);
        }
      }
    }
  }

  /** Finds out how many rounds take 1 ms, and runs them again and again with pauses. */
  private static void spinShortly(CudaDriver.Kernel kernel, long nanos, Clock clock)
      throws InterruptedException {
    long start = System.nanoTime();
    System.out.println(BEGIN + clock.instant());
    int rounds = FIRST_ROUNDS;
    long began = start;
    kernel.run(rounds);
    while (System.nanoTime() - began < SHORT_KERNEL_NANOS && rounds < MOST_ROUNDS) {
      rounds *= 2;
      began = System.nanoTime();
      kernel.run(rounds);
    }
    System.out.println(END + clock.instant());
    while (System.nanoTime() - start + PAUSE_MILLIS * 1_000_000 < nanos) {
      Thread.sleep(PAUSE_MILLIS);
      System.out.println(BEGIN + clock.instant());
      kernel.run(rounds);
      System.out.println(END + clock.instant());
    }
  }

  /** Launches one kernel after the other, each of about 20 ms once their length is known. */
  private static void spin(CudaDriver.Kernel kernel, long nanos) {
    int rounds = FIRST_ROUNDS;
    long start = System.nanoTime();
    long launched = start;
    while (launched - start < nanos) {
      kernel.run(rounds);
      long now = System.nanoTime();
      if (now - launched < KERNEL_NANOS && rounds < MOST_ROUNDS) {
        rounds *= 2;
      }
      launched = now;
    }
  }

  private static String ptx() {
    try (InputStream text = LoadProcess.class.getResourceAsStream("spin.ptx")) {
      if (text == null) {
        throw new IllegalStateException("expected spin.ptx beside the classes, found none");
      }
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
