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
 * Checks passwords against bcrypt hashes. This is slow by design: it runs on a thread of its own,
 * and a right password is cached as a salted digest. For any thread.
 */
public final class Passwords {
  private static final BCrypt.Verifyer BCRYPT =
      BCrypt.verifyer(Version.VERSION_2A, LongPasswordStrategies.truncate(Version.VERSION_2A));

  private static final int MOST_PENDING = 16;
  private static final int MOST_REMEMBERED = 100;
  private static final int SALT_BYTES = 32;

  /** Result of a check. */
  public enum CheckResult {
    RIGHT,
    WRONG,
    /** Too many checks are pending. */
    BUSY
  }

  private final Supplier<Map<String, String>> hashes;
  private final Executor thread;
  private final byte[] salt = new byte[SALT_BYTES];

  /** Immutable; replaced as a whole. */
  private final AtomicReference<Map<String, Boolean>> remembered = new AtomicReference<>(Map.of());

  /**
   * @param hashes current hashes by user
   */
  public Passwords(Supplier<Map<String, String>> hashes) {
    this(hashes, ownThread());
  }

  Passwords(Supplier<Map<String, String>> hashes, Executor thread) {
    this.hashes = hashes;
    this.thread = thread;
    new SecureRandom().nextBytes(salt);
  }

  /** Whether requests need one. */
  public boolean areRequired() {
    return !hashes.get().isEmpty();
  }

  /** Checks one. Takes the same time for an unknown user. */
  public CompletableFuture<CheckResult> check(String user, String password) {
    var known = hashes.get();
    if (known.isEmpty()) {
      // The configuration changed after areRequired().
      return CompletableFuture.completedFuture(CheckResult.RIGHT);
    }
    String hash = known.get(user);
    String digest = digest(user, String.valueOf(hash), password);
    if (hash != null && remembered.get().containsKey(digest)) {
      return CompletableFuture.completedFuture(CheckResult.RIGHT);
    }
    String compared = hash != null ? hash : known.values().iterator().next();
    try {
      return CompletableFuture.supplyAsync(
          () -> {
            boolean same = isSame(password, compared);
            if (!same || hash == null) {
              return CheckResult.WRONG;
            }
            remember(digest);
            return CheckResult.RIGHT;
          },
          thread);
    } catch (RejectedExecutionException _) {
      return CompletableFuture.completedFuture(CheckResult.BUSY);
    }
  }

  private static boolean isSame(String password, String hash) {
    return BCRYPT.verify(
            password.getBytes(StandardCharsets.UTF_8), hash.getBytes(StandardCharsets.US_ASCII))
        .verified;
  }

  private void remember(String digest) {
    remembered.updateAndGet(
        before -> {
          var after = new LinkedHashMap<>(before.size() < MOST_REMEMBERED ? before : Map.of());
          after.put(digest, true);
          return Map.copyOf(after);
        });
  }

  /** A digest that is of no use outside of this process. */
  private String digest(String... texts) {
    try {
      var sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(salt);
      for (String text : texts) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        sha256.update(bytes);
      }
      return HexFormat.of().formatHex(sha256.digest());
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
            new ArrayBlockingQueue<>(MOST_PENDING),
            Thread.ofPlatform().daemon().name("passwords").factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
