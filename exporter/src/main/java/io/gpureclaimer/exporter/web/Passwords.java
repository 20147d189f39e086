package io.gpureclaimer.exporter.web;

import at.favre.lib.crypto.bcrypt.BCrypt;
import at.favre.lib.crypto.bcrypt.BCrypt.Version;
import at.favre.lib.crypto.bcrypt.LongPasswordStrategies;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Checks passwords against bcrypt hashes, which is slow by design: on a thread of its own, and a
 * password that was right once is remembered, in a form that tells nothing of it. For any thread.
 */
public final class Passwords {
  private static final BCrypt.Verifyer BCRYPT =
      BCrypt.verifyer(Version.VERSION_2A, LongPasswordStrategies.truncate(Version.VERSION_2A));

  private static final int MOST_WAITING = 16;
  private static final int MOST_REMEMBERED = 100;
  private static final int SALT_BYTES = 32;

  /** What came of a check. */
  public enum Verdict {
    RIGHT,
    WRONG,
    /** Too many others are waiting. */
    BUSY
  }

  private final Supplier<Map<String, String>> hashes;
  private final Executor thread;
  private final byte[] salt = new byte[SALT_BYTES];

  /** Immutable; replaced as a whole. */
  private final AtomicReference<Map<String, Boolean>> remembered = new AtomicReference<>(Map.of());

  /**
   * @param hashes by user, as they are now
   */
  public Passwords(Supplier<Map<String, String>> hashes) {
    this(hashes, ownThread());
  }

  Passwords(Supplier<Map<String, String>> hashes, Executor thread) {
    this.hashes = hashes;
    this.thread = thread;
    new SecureRandom().nextBytes(salt);
  }

  /** Whether anybody is asked for one. */
  public boolean areAsked() {
    return !hashes.get().isEmpty();
  }

  /** Checks one. Takes as long for a user that does not exist. */
  public CompletableFuture<Verdict> check(String user, String password) {
    var known = hashes.get();
    if (known.isEmpty()) {
      // Nobody is asked for one any more, since areAsked() was.
      return CompletableFuture.completedFuture(Verdict.RIGHT);
    }
    String hash = known.get(user);
    String trace = trace(user, String.valueOf(hash), password);
    if (hash != null && remembered.get().containsKey(trace)) {
      return CompletableFuture.completedFuture(Verdict.RIGHT);
    }
    String compared = hash != null ? hash : known.values().iterator().next();
    try {
      return CompletableFuture.supplyAsync(
          () -> {
            boolean same = isSame(password, compared);
            if (!same || hash == null) {
              return Verdict.WRONG;
            }
            remember(trace);
            return Verdict.RIGHT;
          },
          thread);
    } catch (RejectedExecutionException _) {
      return CompletableFuture.completedFuture(Verdict.BUSY);
    }
  }

  private static boolean isSame(String password, String hash) {
    return BCRYPT.verify(
            password.getBytes(StandardCharsets.UTF_8), hash.getBytes(StandardCharsets.US_ASCII))
        .verified;
  }

  private void remember(String trace) {
    remembered.updateAndGet(
        before -> {
          var after = new LinkedHashMap<>(before.size() < MOST_REMEMBERED ? before : Map.of());
          after.put(trace, true);
          return Map.copyOf(after);
        });
  }

  /** The same for the same three texts, in this process; of no use to anybody else. */
  private String trace(String... texts) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      digest.update(salt);
      for (String text : texts) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        digest.update(bytes);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM has no SHA-256", e);
    }
  }

  private static Executor ownThread() {
    var threads =
        new ThreadPoolExecutor(
            1,
            1,
            30,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            Thread.ofPlatform().daemon().name("passwords").factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
