package shop;

import java.util.Scanner;
import java.util.regex.Matcher;
import javax.crypto.Mac;

/** Classes of the JDK that work on a state of their own. */
class Machines {
    Mac mac = null;
    Mac guarded;
    Matcher matcher;
    Matcher asked;
    Scanner scanner;

    byte[] macBad() {
        return mac.doFinal();
    }

    void guardedMacOk(byte b) {
        synchronized (Machines.class) {
            guarded.update(b);
        }
    }

    int macLengthOk() {
        return mac.getMacLength();
    }

    boolean matcherBad() {
        return matcher.find();
    }

    int askedOk() {
        return asked.start();
    }

    boolean scannerBad() {
        return scanner.hasNext();
    }
}
